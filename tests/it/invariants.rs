//! What holds for every case, whatever it is about. One function each.

mod assembled;
pub(crate) mod damage;
mod integrity;
pub(crate) mod reading;
