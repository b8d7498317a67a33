"""What security asks of the product, by id; and, where no test can prove one yet, the reason in words."""

REQUIREMENTS = {
    1: "Webhooks are proved over the raw bytes, in constant time, before they are read; without a configured secret nothing enters",
    2: "Each platform is proved in its own way; secrets that one sends along are not kept",
    3: "A repeated delivery is one row, by the provider's id or the business key; a signed moment is at most five minutes old where it counts",
    4: "Limits on size and depth of bodies, with and without a length, and on the time in which a request and its body arrive",
    5: "2xx only after the commit, 503 with the database away, never 5xx because of content",
    6: "Noise without proof has a budget by source and a narrow lane; senders that proved themselves have their own",
    7: "argon2id, at least 12 characters, common passwords refused, no default account; the first administrator comes by a one-time link",
    8: "Guessing is slowed down by account and address, the same for unknown accounts",
    9: "A second factor at sign-in, of one use, with codes for recovery",
    10: "Sessions: own token of 256 bits, only its digest stored, new at every sign-in, idle and absolute end, all ended by a new password or role",
    11: "Roles: every role against every route, every id of somebody else, every field",
    12: "Publishing by two people, and a switch that holds every send",
    13: "CSRF tokens bound to the session, the browser's own word on where a request comes from, and no change by reading",
    14: "A strict Content-Security-Policy and the other headers on every response, and no page that breaks it",
    15: "Everything that people wrote is shown as text, on every page; a drawing consists of a short list of elements",
    16: "A cell of an exported table is never a formula",
    17: "Names cannot turn the words around them, and invisible characters in them are shown",
    18: "Message texts are filled by a renderer without logic; a value is never read again as a template",
    19: "Calls out: public addresses only, checked after the lookup, no redirects, no proxies of the environment, limits on time and size",
    20: "Files that leads send: limits, kinds checked against the bytes, kept apart, shown only to whoever may read the conversation, never run",
    21: "Secrets sealed with AES-256-GCM, bound to table, row and field; keys can be rotated; a copy of the database holds none",
    22: "Logs without secrets, phones and words of people, one line an event",
    23: "The logs only grow, by rule of the database, and are chained",
    24: "A person's data can be exported, and erased without breaking the logs",
    25: "What is kept ends by class and age",
    26: "Stop requests are recognised by rules, before anything else",
    27: "A message can only become a message event, never a payment or a consent, whatever it says",
    28: "Tools of a language model: allowed by state, checked again, bound to one contact",
    29: "What a language model wrote is checked before it is sent",
    30: "A language model is told no more than it needs",
    31: "Dependencies locked with hashes, listed with their licences, and none of a banned version",
    32: "Errors say what to do and carry a code, never what the code looks like inside",
    33: "Health without data; figures for this machine or with a token",
    34: "Whoever finds a weakness learns whom to tell; the threat model leads to tests",
    35: "A hostile drawing ends within its limits",
}  # fmt: skip

_NO_MODEL = (
    "no language model is called by anything: the product decides by rules alone, and there is no setting to add one"
)
_SOON = "not there yet; see what is planned"

REASONS = {
    25: f"{_SOON}: until then nothing is deleted by age",
    28: _NO_MODEL,
    29: _NO_MODEL,
    30: _NO_MODEL,
}
