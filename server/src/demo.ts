/** The door of the demo, apart from the server's: only who wants a demo loads its facts, so it is imported late. */

export { demoInstallations } from '../demo/index.ts'
export { type DemoReport, type DemoRequest, loadDemo } from './operator/demo/load-demo.ts'
