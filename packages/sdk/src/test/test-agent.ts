import type { Fetch } from '../request.js';
import { type Check, SUBJECTS } from './check.js';
import { CHECKS } from './checks/all-checks.js';
import { Skipped, type TestTexts } from './inputs.js';
import { limitsOf, type TestLimits } from './limits.js';
import { isHttpUrl } from './probe/interfaces.js';
import { Transport } from './probe/transport.js';
import { type CheckResult, MAX_FINDINGS, type Report, reportOf } from './report.js';
import { Subject } from './subject.js';

/** An agent to test: its URL, or an agent in this process. */
export type TestTarget = string | { url: string; fetch: Fetch };

export interface TestOptions {
  /** A bearer token for the agent. */
  token?: string;
  /** Headers of every request but that for the card, such as a credential of another kind. */
  headers?: Record<string, string>;
  /** Sends all requests; for a proxy or a guard. Ignored for an agent in this process. */
  fetch?: Fetch;
  /** Messages with which to reach a cancellation, a question or a cart. */
  texts?: TestTexts;
  limits?: Partial<TestLimits>;
  /** Ids or subjects of the checks to run, such as `card` or `messages.states`; all by default. */
  only?: string[];
  /** Ids or subjects of checks that are not run. */
  skip?: string[];
  /** Aborts the test. */
  signal?: AbortSignal;
  /** Called with each result as soon as it is known. */
  onResult?: (result: CheckResult) => void;
}

/** Path of the documentation at every Parley. */
const DOCS_PATH = '/docs/test-your-agent';

/**
 * Tests an A2A agent as a caller does: its card, every example of its skills, streams, cancellation, questions, files,
 * errors, limits, each interface that its card declares, and its carts. What is wrong with the agent is in the report.
 * @throws {TypeError} for a target that is no URL, and options that name no check; otherwise only the reason of `signal`
 */
export async function testAgent(target: TestTarget, options: TestOptions = {}): Promise<Report> {
  const checks = selectChecks(options);
  const limits = limitsOf(options.limits);
  const url = typeof target === 'string' ? target : target.url;
  if (!isHttpUrl(url)) throw new TypeError(`"${url}" is not a URL; expected one such as https://agent.example`);
  const fetch = typeof target === 'string' ? (options.fetch ?? globalThis.fetch.bind(globalThis)) : target.fetch;
  const { token, texts = {}, signal: given, onResult } = options;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(OVER), limits.totalMs);
  const signal = given ? AbortSignal.any([given, stop.signal]) : stop.signal;
  const headers = { ...options.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const subject = new Subject({ url, transport: new Transport({ fetch, limits, signal }), headers, texts, limits });
  const startedAt = Date.now();
  const results: CheckResult[] = [];
  try {
    for (const check of checks) {
      const result = await runCheck(check, subject);
      results.push(result);
      onResult?.(result);
    }
    await subject.close();
  } finally {
    clearTimeout(timer);
  }
  given?.throwIfAborted();
  const { card } = await subject.cardReading().catch(() => ({ card: null }));
  return reportOf(results, { url, card, startedAt, now: Date.now() });
}

const OVER = new Skipped('The time of the test is over.');

async function runCheck(check: Check, subject: Subject): Promise<CheckResult> {
  const { id, title, why } = check;
  const result = { id, title, why, docs: `${DOCS_PATH}#${id.split('.')[0]}` };
  try {
    const findings = (await check.run(subject)).slice(0, MAX_FINDINGS);
    return { ...result, outcome: findings.length > 0 ? 'failed' : 'passed', findings, reason: null };
  } catch (error) {
    if (error instanceof Skipped) return { ...result, outcome: 'skipped', findings: [], reason: error.message };
    throw error;
  }
}

function selectChecks({ only = [], skip = [] }: TestOptions): Check[] {
  for (const name of [...only, ...skip]) {
    const isKnown = (SUBJECTS as readonly string[]).includes(name) || CHECKS.some(({ id }) => id === name);
    if (!isKnown) throw new TypeError(`"${name}" is not a check; expected an id, or one of ${SUBJECTS.join(', ')}`);
  }
  const isNamed = (names: string[], { id }: Check): boolean =>
    names.includes(id) || names.includes(id.split('.')[0] ?? '');
  return CHECKS.filter((check) => (only.length === 0 || isNamed(only, check)) && !isNamed(skip, check));
}
