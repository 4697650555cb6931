import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { signOpenMandates } from '../../protocol/ap2/open-mandates';
import { paymentSigner } from '../../tokens/keys/payment-signer';
import { openTermsOf, readStandingText } from '../standing/text';
import { findDraft } from '../store/standing-approvals';

/**
 * Signs the open mandates of a stored draft, as the Trusted Agent Provider of AP2 0.2. The caller has verified the user's
 * passkey over its text. Parley's own key may close them. Null when there is no such draft.
 */
export async function signOpenMandatesOf(
  { userId, id }: { userId: string; id: string },
  now: Date,
): Promise<{ checkout: string; payment: string } | null> {
  const draft = await findDraft(userId, id, now);
  if (!draft) return null;
  const { publicJwk: agentKey, sign } = await paymentSigner(now);
  const signing = { sign, issuer: env().APP_URL, newId: newUuid };
  const text = readStandingText(draft.text);
  return signOpenMandates(openTermsOf(text), { agentKey, now, expiresAt: new Date(text.expires_at) }, signing);
}
