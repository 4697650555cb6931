import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { type BuiltCard, type BuiltSkill, builtCard, type CardDraft } from './built-card';

interface Change {
  path: JSONPath;
  /** `undefined` takes the member away. */
  value: unknown;
}

const layout = { insertSpaces: true, tabSize: 2, eol: '\n' };

/**
 * The card's text with what changed in the form from one draft to the next, and with everything else as somebody may have
 * written it by hand. The text has the shape of `from` (`draftOf` said so).
 */
export function editedCard(text: string, from: CardDraft, to: CardDraft): string {
  const changes = [
    ...memberChanges(builtCard(from), builtCard(to)),
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

/** By the drafts, as a card does not say that a scheme was written by hand. */
function authChanges(from: CardDraft, to: CardDraft): Change[] {
  if (from.auth === to.auth) return [];
  const { securitySchemes, securityRequirements } = builtCard(to);
  return [
    { path: ['securitySchemes'], value: securitySchemes },
    { path: ['securityRequirements'], value: securityRequirements },
  ];
}

/** Skills that went, last first so that places stay true; then the members of those that stay; then the new ones. */
function skillChanges(text: string, from: CardDraft, to: CardDraft): Change[] {
  const [before, after] = [builtCard(from).skills, builtCard(to).skills];
  const stays = new Set(to.skills.map(({ key }) => key));
  const gone = from.skills.flatMap(({ key }, place) =>
    stays.has(key) ? [] : [{ path: ['skills', place], value: undefined }],
  );
  const written = skillIds(text);
  return [
    ...gone.reverse(),
    ...to.skills.flatMap(({ key }, place): Change[] => {
      const skill = after[place] as BuiltSkill;
      const old = from.skills.findIndex((known) => known.key === key);
      if (old < 0) return [{ path: ['skills', -1], value: skill }];
      const known = before[old] as BuiltSkill;
      const ownId = written[old] !== known.id;
      return skillMembers
        .filter((name) => differ(known[name], skill[name]) && !(name === 'id' && ownId))
        .map((name) => ({ path: ['skills', place, name], value: skill[name] }));
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
