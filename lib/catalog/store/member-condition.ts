/** The condition that a person is in the team of agent `a`; `user` is the parameter with the person's id, such as `$1`. */
export function memberCondition(user: string): string {
  return `(a.owner_id = ${user} OR EXISTS (SELECT 1 FROM agent_member m WHERE m.agent_id = a.id AND m.user_id = ${user}))`;
}
