import type { Address } from '@vitrine/contract'

/** An address as it stands on a parcel. */
export function AddressLines({ address }: { readonly address: Address | undefined }) {
  if (!address) return <>none</>
  const { recipientName, company, line1, line2, line3, dependentLocality, postalCode, city, region } = address
  const lines = [
    recipientName,
    company,
    line1,
    line2,
    line3,
    dependentLocality,
    [postalCode, city].filter(Boolean).join(' '),
    [region, address.countryCode].filter(Boolean).join(', '),
    address.phone,
  ].filter(Boolean)
  return (
    <address>
      {lines.map((line, index) => (
        <span key={`${line}${index}`}>
          {line}
          <br />
        </span>
      ))}
    </address>
  )
}
