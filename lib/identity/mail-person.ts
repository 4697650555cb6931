import { sendMail } from './mail';
import { findUser } from './session-cache';

/**
 * Sends a person a mail of ASCII lines; nothing when they are gone.
 * @throws {ParleyError} `unavailable` when no server takes it
 */
export async function mailPerson(
  userId: string,
  { subject, lines }: { subject: string; lines: string[] },
  now: Date,
): Promise<void> {
  const user = await findUser(userId);
  if (user) await sendMail({ to: user.email, subject, lines }, now);
}
