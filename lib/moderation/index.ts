export { getCase, listCases } from './case-queue';
export { decideCases } from './decide-cases';
export { getModerationActivity } from './moderation-activity';
export { appealCase, findOwnCase, getOwnCase, listOwnAppeals, listOwnReports } from './own-cases';
export { getReceipt, reportTarget } from './report-target';
export { sendDecisionEmails } from './send-decision-emails';
export { eraseModeration, selectTakenDown } from './store/change-cases';
export { nextDecisionEmail } from './store/notifications';
