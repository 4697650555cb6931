import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { type BuiltCard, type BuiltSkill, type CardDraft, cardFromDraft } from './card-draft';

interface Change {
  path: JSONPath;
  /** `undefined` removes the member. */
  value: unknown;
}

const layout = { insertSpaces: true, tabSize: 2, eol: '\n' };

/**
 * Applies the changes of the form between two drafts to the card's text, and preserves all other text. The text must be
 * readable as `from` (`draftFromCard`).
 */
export function applyDraft(text: string, from: CardDraft, to: CardDraft): string {
  const changes = [
    ...memberChanges(cardFromDraft(from), cardFromDraft(to)),
    ...authChanges(from, to),
    ...skillChanges(text, from, to),
  ];
  return changes.reduce(
    (known, { path, value }) =>
      applyEdits(
        known,
        modify(known, path, value, { formattingOptions: layout, isArrayInsertion: path.at(-1) === -1 }),
      ),
    text,
  );
}

const members: [JSONPath, (card: BuiltCard) => unknown][] = [
  [['name'], (card) => card.name],
  [['description'], (card) => card.description],
  [['version'], (card) => card.version],
  [['supportedInterfaces', 0, 'url'], (card) => card.supportedInterfaces[0]?.url],
  [['capabilities', 'streaming'], (card) => card.capabilities.streaming],
];

function memberChanges(before: BuiltCard, after: BuiltCard): Change[] {
  return members
    .filter(([, read]) => differ(read(before), read(after)))
    .map(([path, read]) => ({ path, value: read(after) }));
}

/** Returns the changes, comparing drafts because a card does not show whether a scheme was written by hand. */
function authChanges(from: CardDraft, to: CardDraft): Change[] {
  if (from.auth === to.auth) return [];
  const { securitySchemes, securityRequirements } = cardFromDraft(to);
  return [
    { path: ['securitySchemes'], value: securitySchemes },
    { path: ['securityRequirements'], value: securityRequirements },
  ];
}

/**
 * Returns the changes: removed skills, last first so that indexes stay valid, then changed members, then new skills.
 */
function skillChanges(text: string, from: CardDraft, to: CardDraft): Change[] {
  const [before, after] = [cardFromDraft(from).skills, cardFromDraft(to).skills];
  const stays = new Set(to.skills.map(({ key }) => key));
  const removed = from.skills.flatMap(({ key }, index) =>
    stays.has(key) ? [] : [{ path: ['skills', index], value: undefined }],
  );
  const written = skillIds(text);
  return [
    ...removed.reverse(),
    ...to.skills.flatMap(({ key }, index): Change[] => {
      const skill = after[index] as BuiltSkill;
      const old = from.skills.findIndex((known) => known.key === key);
      if (old < 0) return [{ path: ['skills', -1], value: skill }];
      const known = before[old] as BuiltSkill;
      const ownId = written[old] !== known.id;
      return skillMembers
        .filter((name) => differ(known[name], skill[name]) && !(name === 'id' && ownId))
        .map((name) => ({ path: ['skills', index, name], value: skill[name] }));
    }),
  ];
}

const skillMembers = ['id', 'name', 'description', 'tags', 'examples'] as const;

function skillIds(text: string): unknown[] {
  const { skills } = JSON.parse(text) as { skills?: { id?: unknown }[] };
  return (skills ?? []).map(({ id }) => id);
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
