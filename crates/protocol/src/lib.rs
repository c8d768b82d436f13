//! Palimpsest.
