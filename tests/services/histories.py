"""Random histories of a flow made by the services themselves, with a witness who looks at the conversations alone.

The witness never reads the log: after each deed it looks where every current conversation stands and writes down what
changed. What the analysis says must be what the witness saw.
"""

import copy
from collections import Counter
from dataclasses import replace

from engine.core.events import Event, Outcome
from engine.core.flow import Source
from engine.core.inbound import Person
from engine.core.interpreter import armed
from engine.core.permissions import Actor
from engine.core.places import Plan
from engine.services import archive, publish
from engine.services.decide import decide
from engine.services.intake import Arrival, begin, cycle
from engine.services.merge import merge
from engine.store import contacts, conversations
from engine.store.journal import Record

DORA = Actor("dora@loja.example")
BRANCHES = ("t1", "t1_b")
TREE = {
    "schema": 1,
    "slug": "historia",
    "title": "História",
    "initial": "NOVO",
    "events": {
        "msg_recebida": {"source": "message"},
        "parar": {"source": "message", "falls_back_to": "msg_recebida", "priority": 9},
        "pagamento": {"source": "payment"},
        "desistiu": {"source": "human"},
    },
    "understanding": [{"event": "parar", "any": ["parar"]}],
    "actions": {"oi": {"kind": "send", "text": "Oi!"}},
    "states": {
        "NOVO": {"deadline": "1d"},
        "CONVERSA": {"deadline": "2d"},
        "OFERTA": {"deadline": ["1d", "2d"]},
        "PAGO": {"kind": "final", "look": "won"},
        "PERDIDO": {"kind": "final", "look": "lost"},
        "SAIU": {"kind": "optout"},
    },
    "transitions": [
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "CONVERSA", "share": 50},
        {"id": "t1_b", "from": "NOVO", "on": "msg_recebida", "to": "OFERTA", "share": 50},
        {"id": "t2", "from": "NOVO", "on": "timeout", "to": "PERDIDO"},
        {"id": "t3", "from": "CONVERSA", "on": "msg_recebida", "to": "OFERTA", "do": ["oi"]},
        {"id": "t4", "from": "CONVERSA", "on": "timeout", "to": "PERDIDO"},
        {"id": "t5", "from": "OFERTA", "on": "msg_recebida", "to": "OFERTA"},
        {"id": "t6", "from": "OFERTA", "on": "timeout", "to": "OFERTA"},
        {"id": "t8", "from": "OFERTA", "on": "exhausted", "to": "PERDIDO"},
        {"id": "t7", "from": "PERDIDO", "on": "msg_recebida", "to": "CONVERSA"},
    ],
    "globals": [
        {"id": "g1", "on": "pagamento", "to": "PAGO"},
        {"id": "g2", "on": "parar", "to": "SAIU", "except": ["SAIU"]},
        {"id": "g3", "on": "desistiu", "to": "PERDIDO", "except": ["PERDIDO"]},
    ],
    "ignore": [{"state": "PAGO", "on": ["msg_recebida"]}, {"state": "SAIU", "on": ["msg_recebida", "parar"]}],
}


def without_talk():
    """The same with no state CONVERSA and no split."""
    tree = copy.deepcopy(TREE)
    del tree["states"]["CONVERSA"]
    tree["transitions"] = [row for row in tree["transitions"] if row["id"] not in ("t1", "t1_b", "t3", "t4", "t7")] + [
        {"id": "t9", "from": "NOVO", "on": "msg_recebida", "to": "OFERTA", "do": ["oi"]},
        {"id": "t7", "from": "PERDIDO", "on": "msg_recebida", "to": "OFERTA"},
    ]
    return tree


class Witness:
    """Where everybody stands, and since which version; who came and who left, and when."""

    def __init__(self):
        self.at = {}
        self.snapshots = []
        self.moves = []
        self.arrows = {}

    def looks(self, now, rows):
        found = {}
        for row in rows:
            if row["followed_by"] is not None:
                continue
            before = self.at.get(row["id"])
            if before is not None and before[0] == row["state"]:
                found[row["id"]] = before
            else:
                found[row["id"]] = (row["state"], row["flow_version"], frozenset(self.arrows.get(row["id"], ())))
        for one in sorted({*found, *self.at}):
            old, new = self.at.get(one), found.get(one)
            if old != new:
                self.moves += [(now, "left", old)] * (old is not None) + [(now, "entered", new)] * (new is not None)
        self.at = found
        self.snapshots.append((now, dict(found)))

    def counted(self, since, until, wanted):
        """before, entered, left, still: by state, of the stays that are wanted."""

        def standing(until):
            last = next((there for at, there in reversed(self.snapshots) if at < until), {})
            return Counter(stay[0] for stay in last.values() if wanted(stay))

        def moved(kind):
            inside = (stay for at, what, stay in self.moves if what == kind and since <= at < until)
            return Counter(stay[0] for stay in inside if wanted(stay))

        return standing(since), moved("entered"), moved("left"), standing(until)


class Historian:
    """Makes things happen, one a moment."""

    def __init__(self, runtime, number=0):
        self.runtime, self.witness, self.count = runtime, Witness(), 0
        self.number, self.slug = number, f"historia-{number}"
        self.people, self.numbers, self.archived, self.talking = [], [], False, True

    async def opens(self):
        self.numbers.append(await publish.publish_tree(self.runtime, TREE | {"slug": self.slug}, "", DORA))

    async def does(self, deed, who, other, passes):
        """One deed, if it can be done now; then the witness looks."""
        self.runtime.clock.advance(passes)
        self.count += 1
        await getattr(self, deed)(who, other)
        rows = await self.runtime.store.read(
            lambda tx: tx.rows(
                "SELECT id, state, flow_version, followed_by FROM conversation WHERE flow = :s", s=self.slug
            )
        )
        self.witness.looks(self.runtime.clock.now(), rows)

    async def enter(self, _who, _other):
        phone = f"55419{self.number:04}{self.count:04}"

        def unit(tx):
            arrival = Arrival(now=self.runtime.clock.now(), flows=self.runtime.flows, webhook_id="w", flow=self.slug)
            found = contacts.resolve(tx, Person(phone=phone), arrival.now)
            return cycle(tx, arrival, found) and found.contact_id

        if (contact := await self.runtime.store.write("k", unit)) is not None:
            self.people.append(contact)

    async def write(self, who, _other):
        await self._event(who, "msg_recebida", Source.MESSAGE)

    async def silence(self, who, other):
        await self._event(who, "exhausted" if other % 2 else "timeout", Source.CLOCK)

    async def pay(self, who, _other):
        await self._event(who, "pagamento", Source.PAYMENT)

    async def stop(self, who, _other):
        await self._event(who, "parar", Source.MESSAGE, opts_out=True)

    async def mark(self, who, _other):
        await self._event(who, "desistiu", Source.HUMAN)

    async def _event(self, who, name, source, **more):
        if (contact := self._of(who)) is None:
            return
        now = self.runtime.clock.now()

        def unit(tx):
            there = conversations.newest(tx, contact, self.slug)
            flow = self.runtime.flows.within(tx, self.slug, there.flow_version)
            prefix = "timeout" if source is Source.CLOCK else "e"
            event = Event(id=f"{prefix}:{self.slug}:{self.count}", type=name, source=source, at=now)
            return there.id, decide(tx, self.runtime, flow, there, event, now, **more).step, flow

        one, step, flow = await self.runtime.store.write("k", unit)
        if step.outcome is Outcome.MOVED and step.taken.id in flow.branches:
            self.witness.arrows.setdefault(one, set()).add(step.taken.id)

    async def by_hand(self, who, other):
        """As a person moves somebody: a row of the chain that is no transition of the table."""
        if (contact := self._of(who)) is None:
            return
        now = self.runtime.clock.now()

        def unit(tx):
            there = conversations.newest(tx, contact, self.slug)
            flow = self.runtime.flows.within(tx, self.slug, there.flow_version)
            # Often to where a publication has to move people from.
            state = (
                "CONVERSA" if other < 5 and "CONVERSA" in flow.states else sorted(flow.states)[other % len(flow.states)]
            )
            deadline, rung = armed(flow, state, 0, now, "hand")
            after = replace(there.snapshot, state=state, entered_at=now, deadline_at=deadline, rung=rung)
            facts = {"flow_version": there.flow_version, "source": "human", "after": conversations.moment(after)}
            entry = Record(outcome="note", reason="by_hand", frm=there.snapshot.state, to=state, facts=facts)
            conversations.save(tx, there, after, now, [entry])

        await self.runtime.store.write("k", unit)

    async def again(self, who, _other):
        """A new cycle takes the place of the current one."""
        if (contact := self._of(who)) is None:
            return

        def unit(tx):
            arrival = Arrival(now=self.runtime.clock.now(), flows=self.runtime.flows, webhook_id="w", flow=self.slug)
            row = contacts.row(tx, contact)
            found = contacts.resolve(tx, Person(phone=row["phone"]), arrival.now)
            begin(tx, arrival, found, self.slug, after=conversations.newest(tx, contact, self.slug))

        await self.runtime.store.write("k", unit)

    async def become_one(self, who, other):
        one, two = self._of(who), self._of(other)
        if one is None or two is None or one == two:
            return
        kept = await self.runtime.store.write(
            "k",
            lambda tx: merge(tx, self.runtime.flows, self.runtime.clock.now(), one, two, DORA, "message", {}),
        )
        self.people = [contact for contact in self.people if contact == kept or contact not in (one, two)]

    async def publish(self, who, other):
        """The other document goes live; the people follow, stay on their version, or are put elsewhere."""
        await self._open()
        places = {(number, "CONVERSA"): ("OFERTA", "PERDIDO")[who % 2] for number in self.numbers}
        plan = Plan(follow=False, places={}) if other % 3 == 0 else Plan(places=places)
        self.talking = not self.talking
        tree = (TREE if self.talking else without_talk()) | {"slug": self.slug}
        self.numbers.append(await publish.publish_tree(self.runtime, tree, "", DORA, plan=plan))

    async def roll_back(self, _who, _other):
        """The version before this one is live again, and whoever was moved goes back."""
        if len(self.numbers) > 1:
            await self._open()
            plan = Plan(places={(number, "CONVERSA"): "OFERTA" for number in self.numbers})
            self.talking = not self.talking
            number = self.numbers[-2]
            self.numbers.append(await publish.roll_back(self.runtime, self.slug, number, "", DORA, plan=plan))

    async def put_away(self, _who, _other):
        if not self.archived:
            await archive.archive(self.runtime, self.slug, DORA)
            self.archived = True

    async def _open(self):
        if self.archived:
            await archive.bring_back(self.runtime, self.slug, DORA)
            self.archived = False

    def _of(self, who):
        return self.people[who % len(self.people)] if self.people else None


DEEDS = (
    *("enter", "enter", "enter", "write", "write", "write", "silence", "silence", "pay", "stop", "mark"),
    *("by_hand", "by_hand", "again", "become_one", "publish", "publish", "roll_back", "put_away"),
)
