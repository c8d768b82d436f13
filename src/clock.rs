//! Times in the person's time zone. All of them come in as milliseconds since 1970.

use js_sys::Date;

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The minute, e.g. `10:04`.
pub fn minute(ms: i64) -> String {
    let date = at(ms);
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// The day in short, e.g. `2 Mar`; with the year where it is not this one.
pub fn day(ms: i64) -> String {
    let date = at(ms);
    let month = name(&MONTHS, date.get_month()).get(..3).unwrap_or_default();
    let short = format!("{} {month}", date.get_date());
    if date.get_full_year() == Date::new_0().get_full_year() {
        short
    } else {
        format!("{short} {}", date.get_full_year())
    }
}

/// All of it, for a hover, e.g. `Monday 2 March 2026, 10:04:31 (UTC+01:00)`.
pub fn full(ms: i64) -> String {
    let date = at(ms);
    // The offset is what must be added to local time, so its sign is the other way round.
    let offset = -date.get_timezone_offset() as i64;
    format!(
        "{} {} {} {}, {:02}:{:02}:{:02} (UTC{}{:02}:{:02})",
        name(&DAYS, date.get_day()),
        date.get_date(),
        name(&MONTHS, date.get_month()),
        date.get_full_year(),
        date.get_hours(),
        date.get_minutes(),
        date.get_seconds(),
        if offset < 0 { '−' } else { '+' },
        offset.abs() / 60,
        offset.abs() % 60,
    )
}

/// From one to another, e.g. `2 Mar, 10:04 to 11:31` or `2 Mar, 23:50 to 3 Mar, 00:10`.
pub fn span(from: i64, to: i64) -> String {
    let (first, last) = (day(from), day(to));
    let day_of_last = if first == last { String::new() } else { format!("{last}, ") };
    let (begin, end) = (minute(from), minute(to));
    if first == last && begin == end {
        format!("{first}, {begin}")
    } else {
        format!("{first}, {begin} to {day_of_last}{end}")
    }
}

/// The instant for machines, e.g. `2026-03-02T09:04:31.000Z`: the value of a `datetime` attribute.
/// Empty where the time is beyond what a browser can tell.
pub fn instant(ms: i64) -> String {
    let date = at(ms);
    if date.get_time().is_nan() { String::new() } else { date.to_iso_string().into() }
}

fn at(ms: i64) -> Date {
    Date::new(&(ms as f64).into())
}

fn name(names: &[&'static str], index: u32) -> &'static str {
    names.get(index as usize).copied().unwrap_or_default()
}
