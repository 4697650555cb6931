import type { Block, Phase } from './to-items';

/** Returns true while the agent's run continues. */
export function isRunning(phase: Phase): boolean {
  return phase === 'working' || phase === 'stopping' || phase === 'needs-approval';
}

/** Returns the text of an answer as the agent wrote it, with its blocks separated; empty if it has none. */
export function textOfBlocks(blocks: Block[]): string {
  const texts = blocks.map((block) => {
    const parts = block.kind === 'message' ? block.parts : block.kind === 'artifact' ? block.artifact.parts : [];
    return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  });
  return texts.filter((text) => text !== '').join('\n\n');
}
