//! What holds for every case, whatever it is about. One function each.

mod assembled;
mod damage;
mod integrity;
mod reading;
