//! One case or more for every rule of folding and relating.

mod accounting;
mod agents;
mod folding;
mod merging;
mod relations;
mod skills;
mod visibility;
