import { type BootstrapDeps, getBootstrap } from './operations/getBootstrap.ts'
import { getRuntimeConfig, type RuntimeFacts } from './operations/getRuntimeConfig.ts'
import { getStoreDecoration } from './operations/getStoreDecoration.ts'
import { listContactChannels } from './operations/listContactChannels.ts'
import { listLegalDocuments } from './operations/listLegalDocuments.ts'

export function storefrontOperations(deps: RuntimeFacts & BootstrapDeps) {
  return {
    getBootstrap: getBootstrap(deps),
    getRuntimeConfig: getRuntimeConfig(deps),
    listLegalDocuments: listLegalDocuments(deps.readMarketplace),
    listContactChannels: listContactChannels(deps.readMarketplace),
    getStoreDecoration,
  }
}
