import { createContext } from 'react';
import type { ChainView } from '../../lib/tasks/schema-chains';

export interface ChainActions {
  /** Shows the state of a response. */
  update: (chain: ChainView) => void;
  /** Reads the latest state from the server. */
  reload: (rootTaskId: string) => void;
  /** Stops all work of a chain. Resolves to whether it was accepted; a failure is reported to the user. */
  stop: (rootTaskId: string) => Promise<boolean>;
}

/** Null where a thread is read-only. */
export const ChainActionsContext = createContext<ChainActions | null>(null);
