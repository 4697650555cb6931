import type { ErrorCode } from '../platform/errors';
import { statusOf } from './render-error';

/** Introduction of the error reference. */
export const problemIntro =
  'Endpoints below `/api` answer errors as problem JSON (RFC 9457): `title` says what was found, expected and what to do, `code` is stable, `type` leads here, and `requestId` is what the operator asks for. Over JSON-RPC the same codes stand in `error.data`.';

/** The documentation of an error code. */
export interface ProblemGuide {
  /** Why it occurs. */
  cause: string;
  /** How to resolve it. */
  remedy: string;
}

/** The error reference of `/docs/errors`, which every problem's `type` links to. */
export const problemGuides: Record<ErrorCode, ProblemGuide> = {
  invalid_request: {
    cause: 'A member of the body, of the query or a header is missing, of the wrong kind or out of range.',
    remedy: 'Read `faults`: each names the member by a JSON pointer and says what was expected.',
  },
  unauthenticated: {
    cause: 'Nobody is signed in, and no token was sent; or the e-mail address and password do not match.',
    remedy: 'Sign in, or send `Authorization: Bearer` with a personal access token; for agents, with an agent token.',
  },
  invalid_token: {
    cause: 'The token is unknown, expired, revoked, or meant for somebody else.',
    remedy: 'Make a new access token in your settings, or get a new agent token by the handshake.',
  },
  invalid_dpop_proof: {
    cause:
      'The token is bound to a key, and the proof of that key is missing, old, used before or for another request.',
    remedy: 'Make a new proof for this method and address (RFC 9449).',
  },
  use_dpop_nonce: {
    cause: 'The proof of possession needs a nonce of ours.',
    remedy: 'Make the proof again with the value of the header `DPoP-Nonce`.',
  },
  insufficient_scope: {
    cause: 'The access token is good, but may not do this.',
    remedy: 'Make a token with the scope that `WWW-Authenticate` names.',
  },
  origin_required: {
    cause: 'A write came with the session cookie, but not from a page of this site.',
    remedy: 'Send the header `Origin` of this site, or an access token and no cookie.',
  },
  forbidden: {
    cause: 'Who you are is known, and you may not do this; or the account is suspended.',
    remedy: 'Ask somebody who may: the owner of the agent, or the operator of this site.',
  },
  not_found: {
    cause: 'There is nothing with this id or address, or it belongs to somebody else: both are answered alike.',
    remedy: 'Check the id. A link from a mail may be used up; ask for a new one.',
  },
  gone: {
    cause: 'The agent was listed here once and has been withdrawn.',
    remedy: 'Look for another in the catalogue.',
  },
  conflict: {
    cause: 'What you ask does not fit what is there now.',
    remedy: 'Read what the message found, reload, and decide again.',
  },
  sign_in_again: {
    cause: 'This needs a sign-in of the last 15 minutes.',
    remedy: 'Sign in again; you come back to where you were.',
  },
  passkey_required: {
    cause: 'The amount is above the limit from which on you want to be asked for a passkey.',
    remedy: 'Approve in the browser, with your passkey.',
  },
  passkey_refused: {
    cause: 'The passkey is not one of yours, or its answer is not for this payment.',
    remedy: 'Try again with a passkey that your settings list.',
  },
  cart_refused: {
    cause: 'The cart did not pass a check: its signature, its sums, its time or its seller.',
    remedy: 'Ask the agent for a new offer. `reason` names the check.',
  },
  amount_mismatch: {
    cause: 'The amount that you approved is not that of the cart as it stands.',
    remedy: 'Look at the order again and approve what it says.',
  },
  idempotency_key_missing: {
    cause: 'What moves money needs an `Idempotency-Key`.',
    remedy: 'Send one (a UUID), and the same one when you repeat the request.',
  },
  idempotency_in_flight: {
    cause: 'The request with this key is still being worked on.',
    remedy: 'Wait for `Retry-After`, then send it again: you get the same answer.',
  },
  method_not_allowed: { cause: 'The address is right, the method is not.', remedy: 'Use one that `Allow` names.' },
  misdirected_request: {
    cause: 'The `Host` header names a host that this server does not answer for.',
    remedy: 'Call the address that the message names.',
  },
  unsupported_media_type: {
    cause: 'The body is compressed, or of another type than this endpoint reads.',
    remedy: 'Send it plain, with the `Content-Type` that the message names.',
  },
  payload_too_large: { cause: 'The body is larger than 1 MiB.', remedy: 'Send less, or send a link to a file.' },
  rate_limited: {
    cause: 'A limit was reached; `RateLimit-Policy` names it.',
    remedy: 'Wait for `Retry-After` seconds. The limits page lists all of them.',
  },
  invalid_client: {
    cause: 'The client id and the client secret are not those of an app.',
    remedy: 'Send both by Basic authentication. The console rotates a secret that is lost.',
  },
  invalid_target: {
    cause: 'There is no agent of this name that you may call: unknown, private, suspended and withdrawn are alike.',
    remedy: 'Check the slug in the catalogue.',
  },
  card_invalid: {
    cause: 'The agent card has faults.',
    remedy: 'Read `faults`: each has line, column, rule, what was found and how to mend it.',
  },
  catalog_unreadable: {
    cause: 'The address answers with no list of agents that Parley can read, or not at all.',
    remedy:
      'Give the address of an ARD manifest, of an MCP registry or of a list of A2A cards; the error says what came.',
  },
  card_unreachable: {
    cause: 'The agent card could not be fetched.',
    remedy: 'Check that the address answers 200 with JSON, without a sign-in, from the internet.',
  },
  agent_url_taken: {
    cause: 'Somebody else has listed this address.',
    remedy: 'If the host is yours, prove it, or report the other listing.',
  },
  confirm_origin: {
    cause: 'The card says that calls go to another host than the one it was fetched from.',
    remedy: 'If that is right, send `confirmOrigin` with that host.',
  },
  url_refused: {
    cause: 'The address is not https, not public, or not one that Parley goes to.',
    remedy: 'Use a public https address. On your own Parley, `AGENT_URL_ALLOW` lets addresses through.',
  },
  agent_unreachable: {
    cause: 'No connection to the agent could be made, or it has failed so often that it is left alone for a while.',
    remedy: 'Try again in a minute; if it is yours, see its calls in the console.',
  },
  agent_timeout: {
    cause: 'The agent did not answer in time.',
    remedy: 'Read the task later: it may go on. If the agent is yours, stream, or answer with a task at once.',
  },
  agent_offline: {
    cause: 'The agent connects to Parley itself, and none of its programs is connected.',
    remedy: 'Try again after `Retry-After`. If the agent is yours, start it with `parley serve`.',
  },
  worker_lost: {
    cause: 'The program that was answering disconnected and did not come back.',
    remedy: 'Send the message again. If the agent is yours and may repeat its work, declare `redelivery: "safe"`.',
  },
  chain_repeat: {
    cause: 'The called agent has the same request already, from an agent that works on the same task of a person.',
    remedy: 'Use its answer, or ask something else. A request that failed may be repeated.',
  },
  chain_stopped: {
    cause: 'The person stopped everything that agents do for them in this task.',
    remedy: 'End your task. Nothing can be called for it any more.',
  },
  approval_pending: {
    cause: 'The person was asked to allow the call, and has not decided.',
    remedy: 'Send the same message again after `Retry-After`. It waits for the decision.',
  },
  approval_denied: {
    cause: 'The person did not allow the call.',
    remedy: 'Continue without it. Do not ask again.',
  },
  agent_misbehaved: {
    cause: 'What the agent answered is not A2A.',
    remedy: 'If it is yours, the call in the console shows what came and what was expected.',
  },
  task_not_found: { cause: 'There is no such task, or it is not yours.', remedy: 'Check the id and the token.' },
  task_not_cancelable: { cause: 'The task is over.', remedy: 'Nothing: read its result.' },
  task_busy: { cause: 'The task works on something else.', remedy: 'Wait until it asks or ends, then send again.' },
  task_terminal: {
    cause: 'The task is over and takes no messages.',
    remedy: 'Send without `taskId` to begin another.',
  },
  task_canceled: { cause: 'The task was cancelled.', remedy: 'Send again to begin another.' },
  duplicate_task: { cause: 'A task of this name runs with another body.', remedy: 'Choose another name, or wait.' },
  agent_not_found: {
    cause: 'The call names no agent, or one that is not there.',
    remedy: 'Name one by the path, in `metadata.agent`, or by its listed URL.',
  },
  unsupported_operation: {
    cause: 'The agent does not do this, such as streaming or going on with a finished task.',
    remedy: 'Read `capabilities` in its card.',
  },
  content_type_not_supported: {
    cause: 'The agent takes no part of this type.',
    remedy: 'Send one of the `defaultInputModes` of its card.',
  },
  extension_support_required: {
    cause: 'The agent requires an extension that the call does not activate.',
    remedy: 'Name the extensions that its card requires in `A2A-Extensions`, if you support them.',
  },
  version_not_supported: { cause: 'This version of A2A is not spoken.', remedy: 'Use 1.0, 0.3, 0.2 or 0.1.' },
  method_not_found: { cause: 'This version of A2A has no such method.', remedy: 'Check the method and `A2A-Version`.' },
  parse_error: { cause: 'The body is no JSON, or no UTF-8.', remedy: 'Send valid JSON in UTF-8.' },
  invalid_params: {
    cause: 'A member of `params` is missing or wrong.',
    remedy: 'The message names the member and what was expected.',
  },
  push_not_supported: { cause: 'Pushes cannot be set up for this agent.', remedy: 'Stream, or ask for the task.' },
  extended_card_not_configured: {
    cause: 'The agent says that it has an extended card, and has none.',
    remedy: 'Use its public card.',
  },
  extended_card_not_declared: { cause: 'The agent has no extended card.', remedy: 'Use its public card.' },
  idempotency_mismatch: {
    cause: 'This key or `messageId` was used before with another body.',
    remedy: 'Use a new one for a new message.',
  },
  too_many_tasks: {
    cause: 'Too many tasks of yours, or of this agent, are being worked on.',
    remedy: 'Wait for `Retry-After`, or cancel some.',
  },
  not_implemented: {
    cause: 'The protocol has this operation, and Parley does not offer it.',
    remedy: 'Use the operation that the answer names.',
  },
  too_many_streams: { cause: 'Too many streams of yours are open.', remedy: 'Close some, or ask for tasks instead.' },
  unavailable: {
    cause: 'Something that Parley needs does not answer just now: the database, the mail server, a provider.',
    remedy: 'Try again after `Retry-After`. The status page shows what is wrong.',
  },
  internal: {
    cause: 'Something went wrong on our side.',
    remedy: 'Try again; if it stays, tell the operator the request id.',
  },
};

/** Every error code with its status and documentation. */
export function listProblems(): (ProblemGuide & { code: string; status: number })[] {
  const codes = Object.keys(problemGuides) as ErrorCode[];
  return codes.map((code) => ({ code, status: statusOf(code), ...problemGuides[code] }));
}

/** The error reference as Markdown. */
export function renderProblemGuides(): string {
  const entries = listProblems().map(
    ({ code, status, cause, remedy }) => `## ${code}\n\nHTTP ${status}. ${cause}\n\n**What helps:** ${remedy}`,
  );
  return `# Errors\n\n${problemIntro}\n\n${entries.join('\n\n')}\n`;
}
