import { shareParley } from './parley';
import { sharedParley } from './shared-parley';

// Before a test file reads the environment or opens a connection: files of one process share both.
await sharedParley();
shareParley();
