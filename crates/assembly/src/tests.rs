//! Data pushed through one check: small scripts of records, and the outline they must assemble to.

mod contract;
mod laws;
mod outline;
mod patches;
mod rules;
mod script;

use expect_test::Expect;

use crate::{AssemblyOptions, RecordSet, Rows, assemble_session_detail};

/// Assembles `script` with `options` and compares the outline; and holds the law of the round trip.
pub(crate) fn check_with(options: &AssemblyOptions, script: &str, expect: &Expect) {
    let set = RecordSet::from_records(script::records(script)).unwrap();
    let detail = assemble_session_detail(&set, options).unwrap();
    expect.assert_eq(&outline::outline(&detail));
    let again = RecordSet::from_rows(Rows::from(&set)).unwrap();
    assert_eq!(assemble_session_detail(&again, options).unwrap(), detail, "rows change the result");
}

/// The same with inactive messages left out.
pub(crate) fn check(script: &str, expect: &Expect) {
    check_with(&AssemblyOptions::default(), script, expect);
}

/// The same with inactive messages in their places.
pub(crate) fn check_inactive(script: &str, expect: &Expect) {
    check_with(&AssemblyOptions { include_inactive: true, ..AssemblyOptions::default() }, script, expect);
}
