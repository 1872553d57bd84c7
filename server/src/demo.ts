/** The entry point of the demo, imported late: a server without demo data never loads it. */

export { type DemoReturns, demoInstallations, demoOrigins, demoReturns } from '../demo/index.ts'
export { type DemoReport, type DemoRequest, loadDemo } from './operator/demo/load-demo.ts'
