import { createTranslator } from 'next-intl';
import type { Texts } from '../../lib/texts/en';
import { type Locale, languageOf } from '../../lib/texts/languages';
import type { Described, Translate } from './call-api';

/** The names of the problems that pages describe in their language. */
export type ProblemName = keyof Texts['problems'];

type Names = Record<string, ProblemName>;

/** Names by the error codes of the API. All codes have one. Those that only programs cause have a general one. */
const namesByCode: Names = {
  invalid_request: 'invalid',
  unauthenticated: 'signedOut',
  invalid_token: 'signedOut',
  invalid_dpop_proof: 'reload',
  use_dpop_nonce: 'reload',
  insufficient_scope: 'forbidden',
  origin_required: 'reload',
  forbidden: 'forbidden',
  not_found: 'notFound',
  gone: 'agentClosed',
  conflict: 'conflict',
  sign_in_again: 'signInAgain',
  passkey_required: 'passkeyMissing',
  passkey_refused: 'passkeyRefused',
  proof_required: 'notHuman',
  guest_limit_reached: 'guestLimit',
  cart_refused: 'cartRefused',
  amount_mismatch: 'offerChanged',
  payment_required: 'paymentRequired',
  spending_limit_exceeded: 'spendingLimit',
  idempotency_key_missing: 'reload',
  idempotency_in_flight: 'inFlight',
  idempotency_mismatch: 'reload',
  method_not_allowed: 'reload',
  misdirected_request: 'reload',
  unsupported_media_type: 'invalid',
  payload_too_large: 'tooLarge',
  rate_limited: 'tooMany',
  invalid_client: 'reload',
  invalid_target: 'agentNotFound',
  card_invalid: 'cardInvalid',
  card_unreachable: 'cardUnreachable',
  catalog_unreadable: 'listUnreadable',
  agent_url_taken: 'urlTaken',
  confirm_origin: 'otherOrigin',
  url_refused: 'urlRefused',
  agent_unreachable: 'agentUnreachable',
  agent_timeout: 'agentTimeout',
  agent_misbehaved: 'agentMisbehaved',
  agent_offline: 'agentOffline',
  worker_lost: 'agentLost',
  chain_repeat: 'workStopped',
  chain_stopped: 'workStopped',
  approval_pending: 'workStopped',
  approval_denied: 'workStopped',
  task_not_found: 'taskNotFound',
  task_not_cancelable: 'taskEnded',
  task_busy: 'taskBusy',
  generation_mismatch: 'changed',
  task_terminal: 'taskEnded',
  task_canceled: 'taskEnded',
  task_failed: 'taskFailed',
  duplicate_task: 'taskSent',
  agent_not_found: 'agentNotFound',
  unsupported_operation: 'notSupported',
  content_type_not_supported: 'notSupported',
  extension_support_required: 'notSupported',
  version_not_supported: 'notSupported',
  method_not_found: 'notSupported',
  push_not_supported: 'notSupported',
  extended_card_not_configured: 'notSupported',
  extended_card_not_declared: 'notSupported',
  not_implemented: 'notSupported',
  parse_error: 'invalid',
  invalid_params: 'invalid',
  too_many_tasks: 'tooManyTasks',
  too_many_streams: 'tooManyStreams',
  unavailable: 'unavailable',
  internal: 'unavailable',
};

/** Names that depend on the endpoint. `*` stands for any one segment of its path. The first match is used. */
const namesByEndpoint: [path: string, names: Names][] = [
  ['/api/auth/local', { unauthenticated: 'wrongCredentials', forbidden: 'suspended' }],
  ['/api/auth/confirm', { unauthenticated: 'wrongPassword', not_found: 'linkOver', conflict: 'accountExists' }],
  ['/api/auth/reset/finish', { not_found: 'linkOver', forbidden: 'suspended' }],
  ['/api/auth/link/finish', { not_found: 'linkOver', forbidden: 'suspended' }],
  ['/api/auth/device/*', { not_found: 'deviceCodeUnknown' }],
  ['/api/auth/access-tokens', { conflict: 'limitReached' }],
  ['/api/auth/passkeys', { conflict: 'passkeyNotAdded' }],
  ['/api/auth/recovery', { conflict: 'noPasskeys' }],
  ['/api/account/deletion', { conflict: 'accountNotSettled' }],
  ['/api/publishers/own', { conflict: 'handleTaken' }],
  ['/api/apps', { conflict: 'limitReached' }],
  ['/api/apps/*/secrets', { conflict: 'limitReached' }],
  ['/api/collections', { conflict: 'limitReached' }],
  ['/api/collections/*/agents/*', { conflict: 'limitReached' }],
  ['/api/saved-searches', { conflict: 'limitReached' }],
  ['/api/invitations/*', { not_found: 'invitationOver', forbidden: 'invitationOfOther' }],
  ['/api/agents', { conflict: 'slugTaken' }],
  ['/api/agents/*', { conflict: 'agentState', forbidden: 'roleTooLow' }],
  ['/api/agents/*/restore', { conflict: 'agentState', forbidden: 'roleTooLow' }],
  ['/api/agents/*/card/*', { conflict: 'changed', forbidden: 'roleTooLow' }],
  ['/api/agents/*/example', { conflict: 'exampleRefused', forbidden: 'roleTooLow' }],
  ['/api/agents/*/invitations', { conflict: 'notInvitable', forbidden: 'roleTooLow' }],
  ['/api/agents/*/reviews', { forbidden: 'reviewNotAllowed' }],
  ['/api/agents/*/runs', { conflict: 'callNotRepeatable', forbidden: 'roleTooLow' }],
  ['/api/agents/*/transfer', { conflict: 'hasSales', forbidden: 'roleTooLow' }],
  ['/api/agents/*/*', { forbidden: 'roleTooLow' }],
  ['/api/agents/*/*/*', { forbidden: 'roleTooLow' }],
  ['/api/chat/conversations/*/shares', { conflict: 'notShareable' }],
  ['/api/chat/chains/*/*', { conflict: 'changed' }],
  ['/api/chat/chains/*/*/*', { conflict: 'changed' }],
  ['/api/moderation/decisions', { conflict: 'caseChanged' }],
  ['/api/moderation/cases/*/appeal', { conflict: 'noAppeal' }],
  ['/api/moderation/blocked-clients', { conflict: 'alreadyBlocked' }],
  ['/api/orders/*/refund', { conflict: 'refundClosed' }],
  ['/api/orders/*/*', { conflict: 'notPayable' }],
  ['/api/sales/*/refund', { conflict: 'refundClosed' }],
  ['/api/payments/settings', { conflict: 'changed' }],
  ['/api/spending/limits', { conflict: 'changed' }],
  ['/api/standing-approvals', { conflict: 'termsOver' }],
  ['/api/standing-approvals/review', { conflict: 'termsOver' }],
  ['/api/wallet/top-ups', { not_found: 'noCardPayments' }],
];

/** Names of faults, by the path of the endpoint and the pointer to the member. */
const namesByMember: Record<string, Names> = {
  '/api/auth/password': { '/current': 'wrongPassword', '/password': 'weakPassword' },
  '/api/billing/buyer': { '/vatId': 'invalidVatId' },
  '/api/billing/seller': { '/vatId': 'invalidVatId' },
  '/api/account/deletion': { '/password': 'wrongPassword' },
  '/api/auth/sign-up': { '/password': 'weakPassword' },
  '/api/auth/reset/finish': { '/password': 'weakPassword' },
};

/** Returns the name of a refused call's problem. A code of a later version of the API has a general one. */
export function problemNameOf(path: string, code: string): ProblemName {
  const segments = path.replace(/\?.*/, '').split('/');
  const [, names] = namesByEndpoint.find(([pattern]) => matches(segments, pattern.split('/'))) ?? [];
  return names?.[code] ?? namesByCode[code] ?? 'invalid';
}

function matches(segments: string[], pattern: string[]): boolean {
  return segments.length === pattern.length && pattern.every((step, index) => step === '*' || step === segments[index]);
}

/** The names of all problems that the tables above contain. */
export function usedProblemNames(): Set<ProblemName> {
  const tables = [namesByCode, ...namesByEndpoint.map(([, names]) => names), ...Object.values(namesByMember)];
  return new Set(tables.flatMap((names) => Object.values(names)));
}

/** The arguments of the texts. */
export interface ProblemArguments {
  /** When to try again. `none` if the server does not know. */
  unit: 'none' | 'seconds' | 'minutes';
  /** The number of units, or of characters. */
  count: number;
  /** The sentence of the API, in English. */
  detail: string;
}

type Wait = Pick<ProblemArguments, 'unit' | 'count'>;

/** Reads `Retry-After`, in minutes from 90 seconds on. */
export function waitOf(retryAfter: string | null): Wait {
  const seconds = Number(retryAfter ?? '');
  if (!(seconds > 0)) return { unit: 'none', count: 0 };
  return seconds < 90 ? { unit: 'seconds', count: seconds } : { unit: 'minutes', count: Math.ceil(seconds / 60) };
}

/** Returns the name and the arguments of the fault of a member. */
export function faultOf(path: string, pointer: string, message: string): [ProblemName, ProblemArguments] {
  const [, comparison, count] = /expected (?:string|text) to have ([<>])=(\d+) characters/.exec(message) ?? [];
  const byLength = comparison === '<' ? 'tooLong' : 'tooShort';
  const general = count === undefined ? 'invalidValue' : byLength;
  const name = namesByMember[path]?.[pointer] ?? (pointer === '/email' ? 'invalidEmail' : general);
  return [name, { unit: 'none', count: Number(count ?? 0), detail: message }];
}

/** Returns the function that describes refused calls. `text` formats a text in the language of the page. */
export function translateWith(text: (name: ProblemName, values: ProblemArguments) => string): Translate {
  return <P extends Described>(path: string, problem: P, retryAfter: string | null) => {
    const name = problemNameOf(path, problem.code);
    const faults = problem.faults?.map(({ pointer, message }) => ({
      pointer,
      message: text(...faultOf(path, pointer, message)),
    }));
    const title = text(name, { ...waitOf(retryAfter), detail: problem.title });
    return { ...problem, ...(faults && { faults }), title };
  };
}

const pseudo = () => import('../../lib/generated/texts/pseudo/problems.json');

const loaders: Record<Locale, () => Promise<{ default: Texts['problems'] }>> = {
  en: () => import('../../lib/texts/en/problems.json'),
  de: () => import('../../lib/texts/de/problems.json'),
  es: () => import('../../lib/texts/es/problems.json'),
  'en-XA': pseudo,
  'en-XB': pseudo,
};

/** Loads the texts of a locale, which may contain a region. @returns the function that describes refused calls with them */
export async function translationTo(locale: string): Promise<Translate> {
  const { default: problems } = await loaders[languageOf(locale)]();
  const t = createTranslator({ locale, messages: { problems }, namespace: 'problems' });
  return translateWith((name, values) => t(name, { ...values }));
}
