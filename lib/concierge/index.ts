export { isConciergeOpen, startConcierge } from './start-concierge';
