/** The signed-in person as the shell shows them. */
export interface ShellUser {
  name: string;
  email: string;
}
