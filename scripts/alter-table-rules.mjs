// The effects of ALTER TABLE actions on an existing table, for releases that run at the same time.
import { splitList } from './sql-statements.mjs';

const REWRITES = 'rewrites the table while it is locked; add a new column or table instead';
const INDEXES =
  'builds an index while the table is locked; build it in concurrent.sql, then ADD CONSTRAINT … USING INDEX';
const SCANS = 'checks all rows while the table is locked; add NOT VALID, and VALIDATE CONSTRAINT in a later migration';

/** Actions that lock the table for a time proportional to its size. */
const BLOCKING = [
  [/^add .*\b(?:generated .* stored|generated .* as identity|(?:big|small)?serial)\b/, REWRITES],
  [/^add .* default .*\b(?:random|clock_timestamp|timeofday|gen_random_uuid|uuidv\d|nextval)\b/, REWRITES],
  [/^alter .* type /, REWRITES],
  [/^set (?:logged|unlogged|tablespace|access method)\b/, REWRITES],
  [/^add .*\b(?:unique|primary key|exclude)\b(?!.*\busing index\b)/, INDEXES],
  [/^add .*\b(?:check|foreign key|references)\b(?!.*\bnot valid\b)/, SCANS],
];

/**
 * The rules for actions, of which the first match applies. A rule without a reason means that the action is compatible
 * with older releases.
 */
const MEANINGS = [
  [
    /^add (?:constraint|unique|primary key|check|foreign key|exclude)\b/,
    'unclear',
    'rejects rows that older releases may write',
  ],
  [
    /^add (?:column )?.* not null\b/,
    'breaks',
    'older releases do not set the column; give it a default, or let it be null',
  ],
  [/^add /],
  [/^drop constraint (?:if exists )?"?[\w$]+_(?:fkey|check)"?(?: |$)/],
  [/^drop constraint\b/, 'unclear', 'older releases may need the constraint for ON CONFLICT'],
  [/^drop\b/, 'breaks', 'older releases use the column'],
  [/^rename\b/, 'breaks', 'older releases use the former name'],
  [/^alter .* (?:set not null|drop default)$/, 'breaks', 'older releases do not set the column'],
  [/^alter .* type /, 'breaks', 'changes what older releases read and write'],
  [/^alter .* (?:drop not null|set default .*|set (?:statistics|storage|compression) .*|(?:re)?set \(.*)$/],
  [/^(?:validate constraint|owner to|replica identity|set \(|reset \(|set (?:logged|unlogged))/],
  [/^/, 'unclear', 'is of a kind that the check does not know'],
];

/**
 * @typedef {object} Finding
 * @property {'breaks' | 'unclear' | 'blocks'} kind breaks an older release, may break one, or blocks traffic
 * @property {string} reason
 */

/**
 * Returns the findings of `ALTER TABLE <table> <actions>`.
 *
 * @param {string} actions
 * @param {{ columns: Set<string>, constraints: Set<string> }} added by earlier actions of the migration, as
 *   `table.name`
 * @param {string} table
 * @returns {Finding[]}
 */
export function findingsOfActions(actions, added, table) {
  return splitList(actions).flatMap((action) => {
    const findings = [...blocksOf(action, added, table), ...meaningOf(action, added, table)];
    const column = /^add (?:column )?(?:if not exists )?(\S+)/.exec(action);
    const constraint = /^add constraint (\S+)/.exec(action);
    if (constraint) added.constraints.add(`${table}.${constraint[1]}`);
    else if (column) added.columns.add(`${table}.${column[1]}`);
    return findings;
  });
}

function blocksOf(action, { constraints }, table) {
  const validated = /^validate constraint (\S+)/.exec(action)?.[1];
  if (validated && constraints.has(`${table}.${validated}`)) return [{ kind: 'blocks', reason: SCANS }];
  const rule = BLOCKING.find(([pattern]) => pattern.test(action));
  return rule ? [{ kind: 'blocks', reason: rule[1] }] : [];
}

function meaningOf(action, { columns }, table) {
  if (/^add .*\bnot null\b.*\bdefault\b|^add .*\bdefault\b.*\bnot null\b/.test(action)) return [];
  // Older releases leave a column null that this migration adds.
  const keys = /\bforeign key \( (.*?) \)/.exec(action)?.[1].split(' , ');
  if (keys?.every((key) => columns.has(`${table}.${key}`))) return [];
  const [, kind, reason] = MEANINGS.find(([pattern]) => pattern.test(action));
  return kind ? [{ kind, reason }] : [];
}
