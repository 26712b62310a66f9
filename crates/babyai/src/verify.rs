//! Whether an instruction is carried out: looked at after every action.
//!
//! Each clause remembers what the agent carried when it was last looked at, and a clause is looked at only while it is
//! its turn; so something picked up before its turn does not count as picked up.

use crate::Act;
use crate::grid::{Grid, NOTHING, ObjectId};
use crate::instruction::{Clause, Instruction, Part, Strictness};

/// Where an instruction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Continues,
    Succeeds,
    Fails,
}

/// What an action left behind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) act: Act,
    /// The cell in front of the agent.
    pub(crate) front: u16,
    pub(crate) hand: ObjectId,
}

/// What is done so far, for one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct PartProgress {
    done: [bool; 2],
    hands: [ObjectId; 2],
}

/// What is done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Progress {
    led: bool,
    lead: PartProgress,
    follow: PartProgress,
}

impl Progress {
    /// Everything in it, as bytes.
    pub(crate) fn bytes(&self) -> [u8; 9] {
        let part = |part: &PartProgress| [u8::from(part.done[0]), u8::from(part.done[1]), part.hands[0], part.hands[1]];
        let ([a, b, c, d], [e, f, g, h]) = (part(&self.lead), part(&self.follow));
        [u8::from(self.led), a, b, c, d, e, f, g, h]
    }

    /// What the agent carried when the first clause was last looked at.
    pub(crate) fn first_hand(&self) -> ObjectId {
        self.lead.hands[0]
    }

    /// Looks at what an action left behind.
    pub(crate) fn verify(&mut self, instruction: &Instruction, scene: Scene) -> Status {
        let (lead, follow) = match instruction {
            Instruction::Simple(part) => return self.lead.verify(part, scene),
            Instruction::Before(first, second) | Instruction::After(second, first) => (first, second),
        };
        if !self.led {
            match self.lead.verify(lead, scene) {
                Status::Succeeds => self.led = true,
                status => return status,
            }
        }
        self.follow.verify(follow, scene)
    }
}

impl PartProgress {
    fn verify(&mut self, part: &Part, scene: Scene) -> Status {
        match part {
            Part::One(clause) => verify(clause, &mut self.hands[0], scene),
            Part::Both(first, second) => {
                for (i, clause) in [first, second].into_iter().enumerate() {
                    if !self.done[i] {
                        self.done[i] = verify(clause, &mut self.hands[i], scene) == Status::Succeeds;
                    }
                }
                if self.done == [true; 2] { Status::Succeeds } else { Status::Continues }
            }
        }
    }
}

fn verify(clause: &Clause, hand: &mut ObjectId, scene: Scene) -> Status {
    let before = std::mem::replace(hand, scene.hand);
    let (succeeds, fails) = match clause {
        Clause::GoTo(object) => (any(object.objects, |id| scene.grid.objects[id].seen == scene.front), false),
        Clause::Open(door, strictness) => {
            if scene.act != Act::Toggle {
                return Status::Continues;
            }
            let look = scene.grid.look_at(scene.front);
            let opened = door.fits(scene.grid.at(scene.front)) && look.is_free();
            (opened, *strictness == Strictness::Strict && look.latch().is_some())
        }
        Clause::Pickup(object, strictness) => {
            if scene.act != Act::Pickup {
                return Status::Continues;
            }
            let picked = before == NOTHING && object.fits(scene.hand);
            (picked, *strictness == Strictness::Strict && scene.hand != NOTHING)
        }
        Clause::PutNext(moved, fixed) => {
            if scene.act != Act::Drop || !moved.fits(before) || before == scene.hand {
                return Status::Continues;
            }
            let (x, y) = scene.grid.point(scene.grid.objects[usize::from(before)].cell);
            let beside = any(fixed.objects, |id| {
                let seen = scene.grid.objects[id].seen;
                let (u, v) = scene.grid.point(seen);
                usize::from(seen) < scene.grid.cells.len() && x.abs_diff(u) + y.abs_diff(v) == 1
            });
            (beside, false)
        }
    };
    match (succeeds, fails) {
        (true, _) => Status::Succeeds,
        (false, true) => Status::Fails,
        (false, false) => Status::Continues,
    }
}

/// Whether any object of a set is so.
fn any(mut objects: u64, mut is_so: impl FnMut(usize) -> bool) -> bool {
    while objects != 0 {
        if is_so(objects.trailing_zeros() as usize) {
            return true;
        }
        objects &= objects - 1;
    }
    false
}
