import type { ErrorCode } from '../../platform/errors';
import { type ProblemGuide, problemGuides } from './problem-guide';
import { statusOf } from './render-error';

/** The introduction to the error reference. */
export const problemIntro =
  'Endpoints below `/api` return errors as problem JSON (RFC 9457). `title` says what was found, what was expected and what to do; `code` is stable; `type` links to this page; `requestId` identifies the request when you contact the operator. JSON-RPC errors carry the same code in `error.data`.';

/** Returns every error code with its status and documentation. */
export function listProblems(): (ProblemGuide & { code: string; status: number })[] {
  const codes = Object.keys(problemGuides) as ErrorCode[];
  return codes.map((code) => ({ code, status: statusOf(code), ...problemGuides[code] }));
}

/** Returns the error reference as Markdown. */
export function renderProblemGuides(): string {
  const entries = listProblems().map(
    ({ code, status, cause, remedy }) => `## ${code}\n\nHTTP ${status}. ${cause}\n\n**What to do:** ${remedy}`,
  );
  return `# Errors\n\n${problemIntro}\n\n${entries.join('\n\n')}\n`;
}
