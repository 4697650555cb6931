export { freePort } from '../../scripts/processes.mjs';
