//! The open session: the bar above, the outline beside, the transcript, and what was read below.

mod bar;
mod marks;
mod totals;

use leptos::prelude::*;

use crate::feed::view::FeedView;
use crate::store::use_store;
use bar::Bar;
use marks::Marks;
use totals::Totals;

/// The open session.
#[component]
pub fn Reader() -> impl IntoView {
    let feed = use_store().feed;
    // The arrow keys scroll what has the focus, and the page itself does not scroll.
    Effect::new(move |_| request_animation_frame(move || feed.focus_list_if_none()));
    view! {
        <div class="reader">
            <Bar />
            <div class="reader-body">
                <Marks />
                <main>
                    <FeedView />
                    <Totals />
                </main>
            </div>
        </div>
    }
}
