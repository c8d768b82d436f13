//! The records that a user's message becomes: what was typed is one, and every injected text another.

use palimpsest_record::{Block, ContentType, Message, MessageType, Text, Visibility};

use super::here::Here;
use super::output::exit_code;
use super::prompt::Piece;
use super::spoken::{Spoke, Spoken};
use super::thread::Thread;
use crate::Batch;

/// What became of a user message.
#[derive(Default)]
pub(super) struct Pushed {
    /// What passes for typed.
    pub(super) typed: Option<usize>,
    /// What passes for context.
    pub(super) envelopes: Vec<usize>,
    /// What is shown beside it.
    pub(super) cards: Vec<usize>,
}

impl Thread {
    /// Pushes the parts of a message: what was typed is one record (`into`, where its event made one),
    /// and each injected text is another.
    pub(super) fn push_spoken(
        &mut self,
        here: &mut Here<'_, '_>,
        own_id: Option<&str>,
        spoken: &Spoken<'_>,
        into: Option<usize>,
    ) -> Pushed {
        let mut pushed = Pushed::default();
        let mut typed_at = None;
        let mut block = 0;
        // What was typed bears the message's own id, whatever stands before it.
        let id = here.message_id(own_id, 0);
        let mut ids = Numbered { own_id, spare: Some(id.clone()).filter(|_| !spoken.is_prompt()), given: 0 };
        for part in &spoken.parts {
            match part {
                Spoke::Block(_) | Spoke::Text(Piece::Typed(_)) => {
                    block += usize::from(typed_at.is_none());
                    typed_at = typed_at.or(Some(block - 1));
                }
                Spoke::Text(Piece::Envelope(text)) => {
                    let id = ids.next(here);
                    pushed.envelopes.push(self.envelope(here, id, block, MessageType::User, text));
                    block += 1;
                }
                Spoke::Text(piece) => {
                    let before = pushed.cards.len();
                    self.push_card(here, &mut ids, block, *piece, &mut pushed.cards);
                    block += pushed.cards.len() - before;
                }
            }
        }
        if let Some(at) = typed_at {
            pushed.typed = Some(self.push_typed(here, id, at, spoken, into));
        }
        pushed
    }

    fn push_typed(
        &mut self,
        here: &mut Here<'_, '_>,
        id: Text,
        block: usize,
        spoken: &Spoken<'_>,
        into: Option<usize>,
    ) -> usize {
        let mut message = self.message(here, id, block, MessageType::User, ContentType::Text);
        fill(&mut message, spoken, here.batch);
        let shown = into.and_then(|record| Some((record, here.batch.message_mut(record)?)));
        match shown {
            Some((record, shown)) => {
                message.timestamp = shown.timestamp.or(message.timestamp);
                *shown = message;
                record
            }
            None => here.batch.push(message),
        }
    }

    /// Pushes an injected text that is shown.
    fn push_card(
        &mut self,
        here: &mut Here<'_, '_>,
        ids: &mut Numbered<'_>,
        block: usize,
        piece: Piece<'_>,
        cards: &mut Vec<usize>,
    ) {
        self.act(here);
        let content_type = match piece {
            Piece::Skill(..) => ContentType::SkillInstructions,
            Piece::Shell(..) => ContentType::Bash,
            _ => ContentType::Text,
        };
        let id = ids.next(here);
        let mut message = self.message(here, id, block, MessageType::User, content_type);
        message.is_meta = content_type != ContentType::Bash;
        match piece {
            Piece::Skill(text, name) => {
                message.skill = name.map(Text::from);
                cards.push(self.say(here, message, text));
            }
            Piece::Shell(command, output) => {
                let mut answer = message.clone();
                cards.push(self.say(here, message, &format!("!{command}")));
                if !output.is_empty() {
                    answer.id = ids.next(here);
                    answer.seq = here.seq(block + 1);
                    answer.is_error = exit_code(output).is_some_and(|code| code != 0);
                    cards.push(self.say(here, answer, output));
                }
            }
            Piece::Notice(text) | Piece::Typed(text) | Piece::Envelope(text) => {
                cards.push(self.say(here, message, text));
            }
        }
    }
}

/// Ids for the texts beside the typed one: the message's own, where nothing typed has it, then
/// numbered ones.
struct Numbered<'a> {
    own_id: Option<&'a str>,
    spare: Option<Text>,
    given: usize,
}

impl Numbered<'_> {
    fn next(&mut self, here: &mut Here<'_, '_>) -> Text {
        self.spare.take().unwrap_or_else(|| {
            self.given += 1;
            here.message_id(self.own_id, self.given)
        })
    }
}

/// Fills a message with what was typed, in order.
fn fill(message: &mut Message, spoken: &Spoken<'_>, batch: &Batch) {
    let mut texts = Vec::new();
    let mut blocks = Vec::new();
    for part in &spoken.parts {
        match part {
            Spoke::Text(Piece::Typed(text)) => {
                let preview = batch.cut(text);
                blocks.push(Block::Text { text: preview.text, full_length: preview.full_length });
                texts.push(*text);
            }
            Spoke::Block(block) => blocks.push(block.clone()),
            Spoke::Text(_) => {}
        }
    }
    if !texts.is_empty() {
        let preview = batch.cut(&texts.join("\n"));
        message.text = Some(preview.text);
        message.full_length = preview.full_length;
    }
    message.content_type = match (texts.len(), blocks.len()) {
        (0, _) => ContentType::Image,
        (texts, blocks) if texts == blocks => ContentType::Text,
        _ => ContentType::Mixed,
    };
    if blocks.len() > 1 || texts.is_empty() {
        message.blocks = blocks;
    }
}

impl Pushed {
    /// A person typed all of it, what passed for injected too: `text` is what they typed.
    pub(super) fn show_whole(&mut self, batch: &mut Batch, text: &str) {
        let preview = batch.cut(text);
        let record = self.typed.or(self.cards.first().copied()).or(self.envelopes.first().copied());
        for other in self.envelopes.drain(..).chain(self.cards.drain(..)) {
            if let Some(message) = batch.message_mut(other) {
                message.visibility = Visibility::Hidden;
            }
        }
        if let Some(message) = record.and_then(|record| batch.message_mut(record)) {
            message.visibility = Visibility::Visible;
            message.content_type = ContentType::Text;
            message.is_meta = false;
            message.skill = None;
            message.text = Some(preview.text);
            message.full_length = preview.full_length;
            message.blocks.retain(|block| !matches!(block, Block::Text { .. }));
        }
        self.typed = record;
    }

    /// Only one of the texts was typed: the others become context.
    pub(super) fn keep_text(&mut self, batch: &mut Batch, only: usize) {
        let Some(message) = self.typed.and_then(|record| batch.message_mut(record)) else { return };
        let mut number = 0;
        let mut kept = None;
        let mut others = Vec::new();
        for block in std::mem::take(&mut message.blocks) {
            match block {
                Block::Text { text, full_length } => {
                    if number == only {
                        kept = Some((text, full_length));
                    } else {
                        others.push((number, text, full_length));
                    }
                    number += 1;
                }
                block => message.blocks.push(block),
            }
        }
        if let Some((text, full_length)) = kept {
            message.text = Some(text.clone());
            message.full_length = full_length;
            if !message.blocks.is_empty() {
                message.blocks.push(Block::Text { text, full_length });
            }
        }
        let pattern = message.clone();
        for (number, text, full_length) in others {
            let message = Message {
                id: Text::from(format!("{}#other{number}", pattern.id)),
                text: Some(text),
                full_length,
                blocks: Vec::new(),
                content_type: ContentType::Text,
                visibility: Visibility::Hidden,
                is_meta: true,
                ..pattern.clone()
            };
            self.envelopes.push(batch.push(message));
        }
    }
}
