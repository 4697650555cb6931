import type { ShellUser } from '@/components/shell/user';
import { isAdmin } from '@/lib/identity';

/** The user of the header and its menu; null for visitors. */
export function shellUserOf(actor: Parameters<typeof isAdmin>[0]): ShellUser | null {
  return actor.kind === 'user' ? { name: actor.name, email: actor.email, isAdmin: isAdmin(actor) } : null;
}
