import Stripe from 'stripe';
import { env } from '../../platform/runtime/env';
import { once } from '../../platform/runtime/once';
import { STRIPE_NETWORK_RETRIES, STRIPE_TIMEOUT_MS } from '../limits';

/** The error if Stripe rejected a request permanently, so that a retry would not help. The message is Stripe's code. */
export class StripeRejectedError extends Error {
  override readonly name = 'StripeRejectedError';

  constructor(
    readonly code: string,
    /** Stripe's explanation. */
    readonly explanation: string,
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}

/** The client of Stripe's API, with the key of this site. */
export const stripe = once((): Stripe => {
  const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = env();
  if (STRIPE_SECRET_KEY === undefined) throw new Error('STRIPE_SECRET_KEY is gone, and cards were charged by it');
  const base = STRIPE_API_BASE === undefined ? null : new URL(STRIPE_API_BASE);
  const host = base && {
    host: base.hostname,
    port: base.port,
    protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
  };
  return new Stripe(STRIPE_SECRET_KEY, {
    timeout: STRIPE_TIMEOUT_MS,
    maxNetworkRetries: STRIPE_NETWORK_RETRIES,
    telemetry: false,
    ...host,
  });
});

/** Converts permanent errors to {@link StripeRejectedError}. Temporary ones are rethrown. */
export async function translateErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
    if (!(error instanceof StripeCardError || error instanceof StripeInvalidRequestError)) throw error;
    throw new StripeRejectedError(error.code ?? error.type, error.message, { cause: error });
  }
}
