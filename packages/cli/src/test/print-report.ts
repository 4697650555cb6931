import type { CheckResult, Report } from '@parley/agent/test';
import { plainLine, type Terminal } from '../terminal.js';

const SIGNS = { passed: '✓', failed: '✗', skipped: '-' } as const;
const STYLES = { passed: 'green', failed: 'red', skipped: 'gray' } as const;
const ID_WIDTH = 28;

/** Prints one result, and what is wrong. `origin` is that of the Parley with the documentation. */
export function printResult({ print, paint }: Terminal, result: CheckResult, origin: string): void {
  const { id, title, outcome, findings, reason, docs } = result;
  const sign = paint(STYLES[outcome], SIGNS[outcome]);
  const text = reason === null ? title : paint('gray', plainLine(reason));
  print(`${sign} ${id.padEnd(ID_WIDTH)} ${text}`);
  for (const { where, found, expected, remedy } of findings) {
    const lines = [
      ...(where === undefined ? [] : [['in', where]]),
      ['found', found],
      ['expected', expected],
      ['to do', remedy],
    ];
    for (const [name = '', value = ''] of lines) print(`    ${name.padEnd(9)} ${plainLine(value)}`);
  }
  if (findings.length > 0) print(`    ${'docs'.padEnd(9)} ${origin}${docs}`);
}

/** Prints the numbers. */
export function printSummary({ print, paint }: Terminal, report: Report): void {
  const { agent, passed, failed, skipped, durationMs, url } = report;
  const name = plainLine(agent?.name ? `${agent.name} ${agent.version}` : url);
  const counts = [`${passed} passed`, `${failed} failed`, `${skipped} skipped`].join(', ');
  print('');
  print(
    `${paint(failed > 0 ? 'red' : 'green', failed > 0 ? 'FAILED' : 'ok')} ${name}: ${counts} (${(durationMs / 1_000).toFixed(1)} s)`,
  );
}

/** Returns workflow commands of GitHub Actions: one error for each finding. */
export function annotationsOf({ results }: Report): string[] {
  return results.flatMap(({ id, findings }) =>
    findings.map(({ found, expected, remedy, where }) => {
      const text = [where, `Found: ${found}`, `Expected: ${expected}`, remedy].filter(Boolean).join('\n');
      return `::error title=${escapeProperty(`parley test: ${id}`)}::${escapeData(text)}`;
    }),
  );
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Returns the report in the XML format of JUnit, one test suite for each subject. */
export function toJunit({ results, agent, url, passed, failed, skipped, durationMs, startedAt }: Report): string {
  const subjects = [...new Set(results.map(subjectOf))];
  const totals = attributes({ tests: passed + failed + skipped, failures: failed, skipped, time: durationMs / 1_000 });
  const suites = subjects.map((subject) => {
    const own = results.filter((result) => subjectOf(result) === subject);
    const count = (outcome: CheckResult['outcome']): number =>
      own.filter((result) => result.outcome === outcome).length;
    const counts = { tests: own.length, failures: count('failed'), errors: 0, skipped: count('skipped') };
    const head = attributes({ name: `${agent?.name || url}: ${subject}`, ...counts, timestamp: startedAt });
    return `  <testsuite ${head}>\n${own.map(toTestCase).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({ name: 'parley test' })} ${totals}>\n${suites.join('')}</testsuites>\n`;
}

function toTestCase(result: CheckResult): string {
  const { id, title, outcome, findings, reason } = result;
  const head = `    <testcase ${attributes({ classname: `parley.${subjectOf(result)}`, name: `${id}: ${title}` })}`;
  if (outcome === 'passed') return `${head}/>\n`;
  if (outcome === 'skipped') return `${head}><skipped ${attributes({ message: reason ?? '' })}/></testcase>\n`;
  const text = findings
    .map(({ where = '', found, expected, remedy }) => `${where}\nfound: ${found}\nexpected: ${expected}\n${remedy}`)
    .join('\n\n');
  const message = attributes({ message: findings[0]?.found ?? '', type: id });
  return `${head}><failure ${message}>${escapeXml(text)}</failure></testcase>\n`;
}

function subjectOf({ id }: CheckResult): string {
  return id.split('.')[0] ?? id;
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join(' ');
}

/** Also removes characters that XML 1.0 does not allow. */
function escapeXml(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
