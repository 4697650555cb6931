// The releases that are compatible with a migration, and the traffic that it blocks. See
// docs/decisions/0034-expand-and-contract.md.
import { findingsOfActions } from './alter-table-rules.mjs';
import { splitList, splitStatements } from './sql-statements.mjs';

const NAME = '("[^"]+"|[\\w$]+)';
const RELATION = 'table|view|materialized view|sequence|type|domain|function|procedure|index|trigger|schema|extension';
const HARMLESS =
  /^(?:create (?:type|domain|sequence|view|materialized view|extension|schema|function|procedure|aggregate|statistics)|comment on|grant|analyze|set|reset|lock table|alter index)\b/;

/** Statements other than ALTER TABLE: the table that they change, and their effect if that table already existed. */
const STATEMENTS = [
  [rule('insert into NAME'), 'unclear', 'adds rows that older releases read'],
  [rule('update (?:only )?NAME'), 'unclear', 'changes rows that older releases read'],
  [rule('delete from (?:only )?NAME'), 'unclear', 'deletes rows that older releases read'],
  [rule('truncate (?:table )?(?:only )?NAME'), 'breaks', 'deletes rows that older releases read'],
  [
    rule('create (?:or replace )?(?:constraint )?trigger .* on NAME'),
    'unclear',
    'changes what writes of older releases do',
  ],
];

function rule(text) {
  return new RegExp(`^${text.replaceAll('NAME', NAME)}(?= |$)`);
}

/**
 * Classifies a migration by its statements and its header comment.
 *
 * @param {{ sql: string, concurrentSql?: string | null }} migration
 * @returns {{ isBaseline: boolean, kind: 'expand' | 'contract', unusedSince: string | null, problems: string[] }}
 * `unusedSince` is the oldest release that is compatible with a contract migration, or with the baseline, as the header states
 */
export function classify({ sql, concurrentSql = null }) {
  const header = /^(?:\s*--[^\n]*\n)*/.exec(`${sql}\n`)[0];
  const baseline = /^\s*-- baseline: (\d+\.\d+\.\d+)\s*$/m.exec(header)?.[1];
  if (baseline) return { isBaseline: true, kind: 'contract', unusedSince: baseline, problems: [] };
  const unusedSince = /^\s*-- contract: unused since (\d+\.\d+\.\d+)\s*$/m.exec(header)?.[1] ?? null;
  const isExplained = /^\s*-- expand: \S/m.test(header);
  const findings = [
    ...findingsIn(splitStatements(sql), 'migration.sql'),
    ...findingsInConcurrent(splitStatements(concurrentSql ?? '')),
  ];
  const breaks = findings.filter(({ kind }) => kind === 'breaks' || (kind === 'unclear' && !isExplained));
  const problems = findings.filter(({ kind }) => kind === 'blocks').map(textOf);
  if (unusedSince === null) {
    const advice = ({ kind }) =>
      kind === 'breaks'
        ? 'state the release that stopped using it: -- contract: unused since 1.2.0'
        : 'state why older releases work with it (-- expand: reason), or the release that stopped using it (-- contract: unused since 1.2.0)';
    problems.push(...breaks.map((finding) => `${textOf(finding)}; ${advice(finding)}`));
  } else if (isExplained) problems.push('the header has both -- expand and -- contract; expected one of them');
  const kind = unusedSince !== null || breaks.length > 0 ? 'contract' : 'expand';
  return { isBaseline: false, kind, unusedSince, problems };
}

const textOf = ({ file, line, text, reason }) => `${file}:${line}: "${text.slice(0, 60)}" ${reason}`;

function findingsIn(statements, file) {
  const context = {
    all: statements.map(({ text }) => text),
    created: new Set(),
    added: { columns: new Set(), constraints: new Set() },
  };
  return statements.flatMap(({ text, line }) => {
    const found = findingsOf(text, context).map((finding) => ({ ...finding, file, line, text }));
    const [, created] = rule('create (?:unlogged )?table (?:if not exists )?NAME').exec(text) ?? [];
    if (created) context.created.add(created);
    return found;
  });
}

/** @returns {import('./alter-table-rules.mjs').Finding[]} */
function findingsOf(text, context) {
  if (/^set .*\b(?:lock_timeout|statement_timeout)\b/.test(text))
    return [{ kind: 'blocks', reason: 'changes the timeout that protects traffic; expected none' }];
  if (/^create (?:unlogged )?table\b/.test(text)) return [];
  const [, table, actions] = rule('alter table (?:if exists )?(?:only )?NAME (.*)$').exec(text) ?? [];
  if (table) return context.created.has(table) ? [] : ofAlterTable(table, actions, context);
  if (/^create (?:unique )?index\b/.test(text)) return ofIndex(text, context);
  if (/^drop\b/.test(text)) return ofDrop(text, context);
  if (/^create or replace\b/.test(text) && !/\btrigger\b/.test(text))
    return [{ kind: 'unclear', reason: 'may change what older releases call' }];
  for (const [pattern, kind, reason] of STATEMENTS) {
    const [, changed] = pattern.exec(text) ?? [];
    if (changed) return context.created.has(changed) ? [] : [{ kind, reason }];
  }
  return HARMLESS.test(text) ? [] : [{ kind: 'unclear', reason: 'is of a kind that the check does not know' }];
}

/** A table that is renamed so that its successor can use its name still exists. */
function ofAlterTable(table, actions, { all, added }) {
  const isReplaced = /^rename to /.test(actions) && all.some((text) => createsRelation(text, table));
  if (isReplaced) return [{ kind: 'unclear', reason: 'replaces the table' }];
  return findingsOfActions(actions, added, table);
}

function ofIndex(text, { created }) {
  const [, table] = / on (?:only )?("[^"]+"|[\w$]+) /.exec(text) ?? [];
  if (created.has(table)) return [];
  return [{ kind: 'blocks', reason: 'blocks writes while it builds; move it to concurrent.sql' }, ...narrowing(text)];
}

const narrowing = (text) =>
  /^create unique\b/.test(text) ? [{ kind: 'unclear', reason: 'rejects rows that older releases may write' }] : [];

function ofDrop(text, { all, created }) {
  const [, kind, names] = new RegExp(`^drop (${RELATION}) (?:concurrently )?(?:if exists )?(.*)$`).exec(text) ?? [];
  if (!kind) return [{ kind: 'breaks', reason: 'removes what older releases use' }];
  return splitList(names).flatMap((entry) => {
    const [name] = entry.split(' ');
    if (created.has(name)) return [];
    if (kind === 'index') return [{ kind: 'unclear', reason: 'older releases may need the index' }];
    const isReplaced = all.some((other) => createsRelation(other, name));
    return [
      isReplaced
        ? { kind: 'unclear', reason: `replaces the ${kind}` }
        : { kind: 'breaks', reason: `older releases use the ${kind}` },
    ];
  });
}

function createsRelation(text, name) {
  const start = new RegExp(`^create (?:or replace )?(?:unlogged )?(?:${RELATION}) (?:if not exists )?(\\S+)`).exec(
    text,
  );
  return start?.[1] === name || (/^alter table\b/.test(text) && text.endsWith(` rename to ${name}`));
}

function findingsInConcurrent(statements) {
  const file = 'concurrent.sql';
  return statements.flatMap(({ text, line }) => {
    const isIndex = /^create (?:unique )?index concurrently (?!if not exists|on )/.test(text);
    const isDrop = /^drop index concurrently if exists ("[^"]+"|[\w$]+)$/.test(text);
    if (isDrop) return [{ kind: 'unclear', reason: 'older releases may need the index', file, line, text }];
    if (isIndex) return narrowing(text).map((finding) => ({ ...finding, file, line, text }));
    const reason = 'expected CREATE INDEX CONCURRENTLY name ON …, or DROP INDEX CONCURRENTLY IF EXISTS name';
    return [{ kind: 'blocks', reason, file, line, text }];
  });
}
