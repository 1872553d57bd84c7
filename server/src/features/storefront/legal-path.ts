/** The path of the page that shows a legal document. */
export const LEGAL_PATH = '/legal'
