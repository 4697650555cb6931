/** The signed-in user as the shell shows them. */
export interface ShellUser {
  name: string;
  email: string;
  /** A moderator of this Parley: sees the entry "Admin". */
  isAdmin: boolean;
  /** There are spending alerts that the user has not seen. */
  hasAlerts: boolean;
  /** The time at which a requested recovery removes all passkeys; null without a request. */
  recoveryDueAt: string | null;
}
