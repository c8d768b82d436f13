//! What holds for every case, whatever it is about. One function each.

mod assembled;
pub(crate) mod damage;
mod integrity;
mod long_texts;
pub(crate) mod reading;
