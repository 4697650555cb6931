import type { ShellUser } from '@/components/shell/user-menu';
import { findRecovery, isAdmin } from '@/lib/identity';
import { hasNewAlerts } from '@/lib/payments';

/** Returns the user of the header and its menu; null for visitors. */
export async function shellUserOf(actor: Parameters<typeof isAdmin>[0]): Promise<ShellUser | null> {
  if (actor.kind !== 'user') return null;
  const { userId, name, email } = actor;
  const [hasAlerts, recovery] = await Promise.all([hasNewAlerts(userId, new Date()), findRecovery(userId)]);
  return { id: userId, name, email, isAdmin: isAdmin(actor), hasAlerts, recoveryDueAt: recovery?.dueAt ?? null };
}
