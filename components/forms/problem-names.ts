import type { Texts } from '../../lib/texts/en';
import type { Described, Translate } from './call-api';

/** The names of the problems that pages describe in their language. */
export type ProblemName = keyof Texts['shell']['problems'];

const namesByCode: Record<string, ProblemName> = {
  unauthenticated: 'signedOut',
  sign_in_again: 'signInAgain',
  rate_limited: 'tooMany',
  guest_limit_reached: 'guestLimit',
  too_many_tasks: 'tooManyTasks',
  payload_too_large: 'tooLarge',
  spending_limit_exceeded: 'spendingLimit',
  agent_offline: 'agentOffline',
  agent_unreachable: 'agentUnreachable',
  agent_timeout: 'agentTimeout',
  unavailable: 'unavailable',
  internal: 'unavailable',
};

type Names = Record<string, ProblemName>;

/** Names that depend on the form, by the path of its endpoint. */
const namesByForm: Record<string, Names> = {
  '/api/auth/local': { unauthenticated: 'wrongCredentials', forbidden: 'suspended' },
  '/api/auth/confirm': { unauthenticated: 'wrongPassword', not_found: 'linkOver', conflict: 'accountExists' },
  '/api/auth/reset/finish': { not_found: 'linkOver' },
  '/api/auth/link/finish': { not_found: 'linkOver' },
};

/** Names of faults, by the path of the endpoint and the pointer to the member. */
const namesByMember: Record<string, Names> = {
  '/api/auth/password': { '/current': 'wrongPassword', '/password': 'weakPassword' },
  '/api/account/deletion': { '/password': 'wrongPassword' },
  '/api/auth/sign-up': { '/password': 'weakPassword' },
  '/api/auth/reset/finish': { '/password': 'weakPassword' },
};

/** Returns the name of a refused call's problem; null if only the API's own sentence describes it. */
export function problemNameOf(path: string, code: string): ProblemName | null {
  return namesByForm[path]?.[code] ?? namesByCode[code] ?? null;
}

/** Returns the name of the fault of a member; null if only the API's own sentence describes it. */
export function faultNameOf(path: string, pointer: string): ProblemName | null {
  return namesByMember[path]?.[pointer] ?? (pointer === '/email' ? 'invalidEmail' : null);
}

/** The arguments of the texts: when to try again. `unit` is `none` if the server does not know. */
export interface Wait {
  unit: 'none' | 'seconds' | 'minutes';
  count: number;
}

/** Reads `Retry-After`, in minutes from 90 seconds on. */
export function waitOf(retryAfter: string | null): Wait {
  const seconds = Number(retryAfter ?? '');
  if (!(seconds > 0)) return { unit: 'none', count: 0 };
  return seconds < 90 ? { unit: 'seconds', count: seconds } : { unit: 'minutes', count: Math.ceil(seconds / 60) };
}

/** Returns the function that describes refused calls. `text` formats a text in the language of the page. */
export function translateWith(text: (name: ProblemName, wait: Wait) => string): Translate {
  return <P extends Described>(path: string, problem: P, retryAfter: string | null) => {
    const name = problemNameOf(path, problem.code);
    const faults = problem.faults?.map(({ pointer, message }) => {
      const fault = faultNameOf(path, pointer);
      return { pointer, message: fault ? text(fault, waitOf(null)) : message };
    });
    return { ...problem, ...(faults && { faults }), title: name ? text(name, waitOf(retryAfter)) : problem.title };
  };
}
