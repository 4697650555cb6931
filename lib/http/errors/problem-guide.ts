import type { ErrorCode } from '../../platform/errors';

/** The documentation of an error code. */
export interface ProblemGuide {
  /** The cause of the error. */
  cause: string;
  /** The steps that resolve the error. */
  remedy: string;
}

/** The error reference of `/docs/errors`, to which every problem's `type` links. */
export const problemGuides: Record<ErrorCode, ProblemGuide> = {
  invalid_request: {
    cause: 'A member of the body, a query parameter or a header is missing, has the wrong type or is out of range.',
    remedy: 'Read `faults`: each entry names the member by its JSON pointer and says what was expected.',
  },
  unauthenticated: {
    cause: 'No one is signed in and no token was sent, or the email and password do not match.',
    remedy: 'Sign in, or send `Authorization: Bearer` with an access token. Calls to an agent need an agent token.',
  },
  invalid_token: {
    cause: 'The token is unknown, expired, revoked or issued for someone else.',
    remedy: 'Create a new access token in your settings, or get a new agent token from `POST /api/auth/handshake`.',
  },
  invalid_dpop_proof: {
    cause:
      'The token is bound to a key, and the proof for that key is missing, too old, already used or made for another request.',
    remedy: 'Create a new proof for this method and URL (RFC 9449).',
  },
  use_dpop_nonce: {
    cause: 'The DPoP proof must contain a nonce from this server.',
    remedy: 'Create a new proof with the value of the `DPoP-Nonce` response header.',
  },
  insufficient_scope: {
    cause: 'The access token is valid but lacks the scope that this request needs.',
    remedy: 'Create a token with the scope that `WWW-Authenticate` names.',
  },
  origin_required: {
    cause: 'The request changes something and carries the session cookie, but does not come from a page of this site.',
    remedy: 'Send the `Origin` header of this site, or send an access token instead of the cookie.',
  },
  forbidden: {
    cause: 'You are signed in but not allowed to do this, or your account is suspended.',
    remedy: 'Ask the owner of the agent or the operator of this site.',
  },
  not_found: {
    cause: 'Nothing exists under this ID or URL, or it belongs to someone else. Both cases return the same error.',
    remedy: 'Check the ID. If you followed a link from an email, it may have been used already; request a new one.',
  },
  gone: { cause: 'The agent was withdrawn by its owner.', remedy: 'Search the catalog for another agent.' },
  conflict: { cause: 'The current state does not allow this.', remedy: 'Read the message, reload, and decide again.' },
  sign_in_again: {
    cause: 'This action needs a sign-in from the last 15 minutes.',
    remedy: 'Sign in again. You return to the page you came from.',
  },
  passkey_required: {
    cause: 'The account has a passkey, and this change or payment needs it. A password or a token is not enough.',
    remedy:
      'Sign the WebAuthn options in `passkey` and repeat the request with the response as `assertion`; Parley’s pages do this. If you have lost all passkeys, start a recovery in your settings.',
  },
  passkey_refused: {
    cause: 'The passkey is not registered to your account, or its response is not for this change or payment.',
    remedy: 'Try again with a passkey that is listed in your settings.',
  },
  proof_required: {
    cause: 'Many visitors without an account came from this network, so a browser must do some work first.',
    remedy: 'Solve `challenge` (ALTCHA, version 2), and repeat the request with the solution as `proof`. Or sign in.',
  },
  guest_limit_reached: {
    cause: 'Visitors without an account can send a few messages a day, and this limit is reached.',
    remedy: 'Create an account: the conversation is kept. Or continue after the time in `Retry-After`.',
  },
  cart_refused: {
    cause: 'The cart failed a check of its signature, totals, expiry or seller.',
    remedy: 'Ask the agent for a new offer. `reason` names the failed check.',
  },
  payment_required: {
    cause: 'The price of the agent is not approved, or the approved total or the wallet does not cover it.',
    remedy: 'Open `approveUrl`, approve the price or top up the wallet, and send the same message again.',
  },
  spending_limit_exceeded: {
    cause: 'The order exceeds a spending limit that you set, or the default of a token, app or chain of agents.',
    remedy: 'Wait until the limit resets, or raise it under Settings, Spending. `limit` and `left` describe it.',
  },
  amount_mismatch: {
    cause: 'The amount you approved is not the current amount of the cart.',
    remedy: 'Review the order again and approve the current amount.',
  },
  idempotency_key_missing: {
    cause: 'Requests that move money need an `Idempotency-Key` header.',
    remedy: 'Send one, such as a UUID, and send the same one when you repeat the request.',
  },
  idempotency_in_flight: {
    cause: 'The first request with this key has not finished.',
    remedy: 'Wait for `Retry-After`, then repeat the request to get the same response.',
  },
  method_not_allowed: {
    cause: 'The URL exists but does not support this method.',
    remedy: 'Use a method that the `Allow` header lists.',
  },
  misdirected_request: {
    cause: 'The `Host` header names a host that this server does not serve.',
    remedy: 'Call the URL that the message names.',
  },
  unsupported_media_type: {
    cause: 'The body is compressed, or has a content type that this endpoint does not accept.',
    remedy: 'Send an uncompressed body with the `Content-Type` that the message names.',
  },
  payload_too_large: { cause: 'The body is larger than 1 MiB.', remedy: 'Send less, or send a link to a file.' },
  rate_limited: {
    cause: 'You have reached a rate limit. `RateLimit-Policy` names it.',
    remedy: 'Wait for `Retry-After` seconds. The limits page lists every limit.',
  },
  invalid_client: {
    cause: 'The client ID and client secret do not belong to an app.',
    remedy: 'Send both with Basic authentication. If you lost the secret, rotate it in the console.',
  },
  invalid_target: {
    cause:
      'No agent with this name is available to you. Unknown, private, taken down and withdrawn agents return the same error.',
    remedy: 'Check the slug in the catalog.',
  },
  card_invalid: {
    cause: 'The agent card has errors.',
    remedy: 'Read `faults`: each entry has the line, column and rule, what was found and how to fix it.',
  },
  catalog_unreadable: {
    cause: 'The URL does not respond, or does not return a list of agents in a format that Parley can read.',
    remedy: 'Use the URL of an ARD manifest, an MCP registry or a list of A2A cards. The message says what was found.',
  },
  card_unreachable: {
    cause: 'The agent card could not be fetched.',
    remedy: 'Check that the URL returns status 200 and JSON on the public Internet, without a sign-in.',
  },
  agent_url_taken: {
    cause: 'Someone else has already listed an agent with this URL.',
    remedy: 'If the host is yours, verify that you own it, or report the other listing.',
  },
  confirm_origin: {
    cause: 'The card sends calls to a different origin than the one it was fetched from.',
    remedy: 'If that is correct, repeat the request with `confirmOrigin` set to `true`.',
  },
  url_refused: {
    cause: 'The URL is not https, not on the public Internet, or not one that Parley may call.',
    remedy: 'Use a public https URL. On your own Parley, `AGENT_URL_ALLOW` exempts origins.',
  },
  agent_unreachable: {
    cause: 'Parley could not connect to the agent, or has paused calls to it after repeated failures.',
    remedy: 'Try again in a minute. If the agent is yours, open its calls in the console.',
  },
  agent_timeout: {
    cause: 'The agent did not respond in time.',
    remedy:
      'Get the task later; it may still be running. If the agent is yours, stream the answer, or return a task immediately.',
  },
  agent_offline: {
    cause: 'The agent connects to Parley through workers, and none of them is connected.',
    remedy: 'Try again after `Retry-After`. If the agent is yours, start it with `parley serve`.',
  },
  worker_lost: {
    cause: 'The worker that was running the task disconnected and did not reconnect.',
    remedy:
      'Send the message again. If the agent is yours and can safely repeat its work, declare `redelivery: "safe"`.',
  },
  chain_repeat: {
    cause: 'The called agent has already received the same request in this chain of agents.',
    remedy: 'Use the answer to that request, or ask something else. You can repeat a request that failed.',
  },
  chain_stopped: {
    cause: 'The user stopped all agent work for this task.',
    remedy: 'End your task. No more agents can be called for it.',
  },
  approval_pending: {
    cause: 'The user was asked to allow the call and has not decided yet.',
    remedy: 'Send the same message again after `Retry-After`. Parley keeps the request for approval open.',
  },
  approval_denied: { cause: 'The user did not allow the call.', remedy: 'Continue without it. Do not ask again.' },
  agent_misbehaved: {
    cause: "The agent's response is not valid A2A.",
    remedy: 'If the agent is yours, the call in the console shows what was received and what was expected.',
  },
  task_not_found: { cause: 'The task does not exist or is not yours.', remedy: 'Check the ID and the token.' },
  task_not_cancelable: { cause: 'The task has already ended.', remedy: 'Get the task to read its result.' },
  task_busy: {
    cause: 'The agent is still working on an earlier message of this task.',
    remedy: 'Wait until the task asks for input or ends, then send again.',
  },
  generation_mismatch: {
    cause: 'The task has changed since the generation that the request names. Only in A2A 1.1.',
    remedy: 'Get the task, decide again, and send with its current generation.',
  },
  task_terminal: {
    cause: 'The task has ended and accepts no more messages.',
    remedy: 'Send the message without `taskId` to start a new task.',
  },
  task_failed: {
    cause: 'The agent failed, rejected or canceled the task. Only for calls whose response is the answer itself.',
    remedy: 'Read the agent’s explanation in the error, change the message and send it again.',
  },
  task_canceled: { cause: 'The task was canceled.', remedy: 'Send the message again to start a new task.' },
  duplicate_task: {
    cause: 'A task with this ID is already running with a different message.',
    remedy: 'Use another ID, or wait until the task ends.',
  },
  agent_not_found: {
    cause: 'The call names no agent, or names one that does not exist.',
    remedy: 'Name an agent in the path, in `metadata.agent`, or by its listed URL.',
  },
  unsupported_operation: {
    cause: 'The agent does not support this operation, such as streaming or continuing a finished task.',
    remedy: 'Check `capabilities` in its card.',
  },
  content_type_not_supported: {
    cause: 'The agent does not accept parts of this media type.',
    remedy: 'Send one of the `defaultInputModes` in its card.',
  },
  extension_support_required: {
    cause: 'The agent requires an extension that the call does not activate.',
    remedy: 'If you support the extensions that its card requires, name them in `A2A-Extensions`.',
  },
  version_not_supported: { cause: 'Parley does not support this version of A2A.', remedy: 'Use 1.0, 0.3, 0.2 or 0.1.' },
  method_not_found: {
    cause: 'This A2A version has no such method.',
    remedy: 'Check the method name and `A2A-Version`.',
  },
  parse_error: { cause: 'The body is not valid JSON in UTF-8.', remedy: 'Send valid JSON in UTF-8.' },
  invalid_params: {
    cause: 'A member of `params` is missing or invalid.',
    remedy: 'Read the message: it names the member and what was expected.',
  },
  push_not_supported: { cause: 'This agent does not support webhooks.', remedy: 'Stream the task, or poll it.' },
  extended_card_not_configured: {
    cause: "The agent's card declares an extended card, but the agent does not serve one.",
    remedy: 'Use its public card.',
  },
  extended_card_not_declared: { cause: 'The agent has no extended card.', remedy: 'Use its public card.' },
  idempotency_mismatch: {
    cause: 'This key or `messageId` was used before with a different body.',
    remedy: 'Use a new one for a new message.',
  },
  too_many_tasks: { cause: 'Too many of your tasks are running.', remedy: 'Wait for `Retry-After`, or cancel a task.' },
  not_implemented: {
    cause: 'The protocol defines this operation, but Parley does not offer it.',
    remedy: 'Use the operation that the message names.',
  },
  too_many_streams: { cause: 'You have too many open streams.', remedy: 'Close one, or poll tasks instead.' },
  unavailable: {
    cause:
      'Something that Parley depends on is not available right now, such as the database, the mail server, a provider or an agent at its task limit.',
    remedy: 'Try again after `Retry-After`. The status page shows current problems.',
  },
  internal: {
    cause: 'Something went wrong on our side.',
    remedy: 'Try again. If it keeps happening, send the request ID to the operator.',
  },
};
