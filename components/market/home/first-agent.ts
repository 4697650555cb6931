/** The file of a complete agent, which the home page shows. */
export const firstAgentFile = {
  name: 'agent.mjs',
  code: `export async function* handle(turn) {
  yield \`You said: \${turn.text}\`;
}`,
} as const;

/** Returns the command that lists that agent on the Parley at `origin` and connects it, with `slug` as its id. */
export function firstAgentCommand(origin: string, slug = 'my-agent'): string {
  return `npx ${origin}/packages/parley.tgz --api-url ${origin} serve ${firstAgentFile.name} --agent ${slug} --create`;
}
