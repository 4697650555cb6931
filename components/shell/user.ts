/** The signed-in user as the shell shows them. */
export interface ShellUser {
  name: string;
  email: string;
  /** A moderator of this Parley: sees the entry "Admin". */
  isAdmin: boolean;
}
