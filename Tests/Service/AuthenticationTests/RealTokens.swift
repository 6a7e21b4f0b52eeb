/// Tokens that independent tools made, all of them good until 2100: PyJWT 2.15.1, and openssl 3.
///
/// The first four say `{"sub":"u42","exp":4102444800,"iat":1700000000,"iss":"https://issuer.example",
/// "aud":["livedelta","other"],"ops":["read"]}`, the other two `{"clients":["u*"],"collections":["in*"],
/// "ops":["read","write"],"exp":4102444800,"iss":"https://issuer.example","aud":"livedelta"}`.
enum RealTokens {
  /// The public halves, and the secret of HS256: the bytes 0 to 31.
  static let keys = #"""
    {"keys":[{"kty":"oct","kid":"h","alg":"HS256","k":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXG\#
    BkaGxwdHh8"},{"kty":"RSA","kid":"r","alg":"RS256","use":"sig","n":"wnHQPOlog8gk21IuX\#
    BYnLTlM8A1qXs0L5_7QmAF-PMzpqZ1btxUkjyrjOpjDcjXY8E-iiNakJ3r8JMulv6_GXj_AXiEKzBbLTBoHD\#
    rZ-mfMbEeDHnAX3l874QV6yYw4JPABed8UeIdtPEu66cjBWm8TZDPxarU0bZVp__-Vj20j0naEBVcSnmE3B5\#
    0cn2iVYlr8bASIMWgmTEPPzaxpnGTvcmBFQujmw19bccVZ9DFyaPArYbfQ4jyAs2TyKiUsqXnfGbrVp06fPS\#
    rkbX3-PolZ1IBgC8muUS_IC98jjoBvQjGBBr0z1AAsZiR5nsGmhCkS23uRCXYMsTYcCFFKEoQ","e":"AQAB\#
    "},{"kty":"EC","kid":"e","alg":"ES256","crv":"P-256","x":"QRHK5m7UZYeffD76laLdlIvhup\#
    4QinDook1xfqzXZIQ","y":"0OILhxIoDXiZWCZnlAVhAkjdrC5BWWk-zxN44o0A9X4"},{"kty":"OKP","\#
    kid":"d","alg":"EdDSA","crv":"Ed25519","x":"a8s4ay1XFm3UoFLL4Wp7180PqDUue8rpGcqNcrtt\#
    USU"}]}
    """#

  static let all: [(name: String, token: String)] = [
    (
      "HS256, PyJWT",
      #"""
      eyJhbGciOiJIUzI1NiIsImtpZCI6ImgiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1NDIiLCJleHAiOjQxMDI0N\#
      DQ4MDAsImlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6WyJsa\#
      XZlZGVsdGEiLCJvdGhlciJdLCJvcHMiOlsicmVhZCJdfQ.tfpCoQbDV4RZb_DcWOFBMFU6bFpxA2OdUrLKgS\#
      nx4WU
      """#
    ),
    (
      "RS256, PyJWT",
      #"""
      eyJhbGciOiJSUzI1NiIsImtpZCI6InIiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1NDIiLCJleHAiOjQxMDI0N\#
      DQ4MDAsImlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6WyJsa\#
      XZlZGVsdGEiLCJvdGhlciJdLCJvcHMiOlsicmVhZCJdfQ.iCvyEZnR02LOyyufAlLX00aHxXmLMRv4ENUIPl\#
      oS6M3Jnqu9GsYJ15K7a7fdXf56ssEA-ZT0SROnj32LZklO6zha5ns3XMYCAH61koLZME3nmEI9isIhMGx6fo\#
      xy4ZAjrJr2p9WFyZkRbIwQSW5nEHkonwtci4EaHaD6dlFuieUXWw4iR5nni1BX7P5GVgOw6GGWFbCbMXNE_f\#
      RpMxvM488sm_FrmFrKJbsFHGw04Lo9E_7XYUx9bc4v9ju2tlikq77s2Y-xEN5RnV_Pb1iSoILn6WupcwZIcg\#
      v_Lr_ngzGocaJq93D99cuux4rEVpmedwdxBINwEGzhdPGp6XRLmw
      """#
    ),
    (
      "ES256, PyJWT",
      #"""
      eyJhbGciOiJFUzI1NiIsImtpZCI6ImUiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1NDIiLCJleHAiOjQxMDI0N\#
      DQ4MDAsImlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6WyJsa\#
      XZlZGVsdGEiLCJvdGhlciJdLCJvcHMiOlsicmVhZCJdfQ.VTqe-5h2laocn_29XCtSCpJhPYjNPMIIZGssDt\#
      Ky0NVt4Gb8OEHa6MQJ5tTjVrMdCyq1uqnONvXMGuLDXX77Pg
      """#
    ),
    (
      "EdDSA, PyJWT",
      #"""
      eyJhbGciOiJFZERTQSIsImtpZCI6ImQiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1NDIiLCJleHAiOjQxMDI0N\#
      DQ4MDAsImlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6WyJsa\#
      XZlZGVsdGEiLCJvdGhlciJdLCJvcHMiOlsicmVhZCJdfQ.bzQuOmSGLl_fYWarovr6qi2Nqvj9G_zjA42NWF\#
      q5sWFAvuEQYqJfNK8tPGvODkSJj1lUjTDKHLDihAujHdUGCg
      """#
    ),
    (
      "RS256, openssl",
      #"""
      eyJraWQiOiAiciIsICJhbGciOiAiUlMyNTYifQ.eyJjbGllbnRzIjogWyJ1KiJdLCAiY29sbGVjdGlvbnMiO\#
      iBbImluKiJdLCAib3BzIjogWyJyZWFkIiwgIndyaXRlIl0sICJleHAiOiA0MTAyNDQ0ODAwLCAiaXNzIjogI\#
      mh0dHBzOi8vaXNzdWVyLmV4YW1wbGUiLCAiYXVkIjogImxpdmVkZWx0YSJ9.ADjiNx5hQsOOt0Gfn208U9UQ\#
      nGvjovzXROPblGq6iJVlUO0NyfkQl4GUumuCDVWtIRShTUTxp8z1V-VWnXFREv_xhitjvFzdHu4c0sRUVBxH\#
      i4wrt9DiapPyljjo3kr11N_XmUupUDK_PPVQH9ENDGPmUov8ToRVHaNJfSC3dqRijyKrKB8-Ys0ShTnnJlCO\#
      0CteHm3I-CavLQJ8j4ZXlEGnYQvSK1mtAQaHHfSTIxyYKu2d9karHVDfgoPw6Yodndo2Z8Ag9IQ0NpHLviN_\#
      5xhEZ74g74hWZqF3gTnz7CQt16jvnu7Z4TZyXSH7n6kAKvCyvqu2ZfIZYxDp4McUoA
      """#
    ),
    (
      "HS256, openssl",
      #"""
      eyJraWQiOiAiaCIsICJhbGciOiAiSFMyNTYifQ.eyJjbGllbnRzIjogWyJ1KiJdLCAiY29sbGVjdGlvbnMiO\#
      iBbImluKiJdLCAib3BzIjogWyJyZWFkIiwgIndyaXRlIl0sICJleHAiOiA0MTAyNDQ0ODAwLCAiaXNzIjogI\#
      mh0dHBzOi8vaXNzdWVyLmV4YW1wbGUiLCAiYXVkIjogImxpdmVkZWx0YSJ9.xFX8gK8WMb8F0GAp7WxKbUAo\#
      zFgDr5iJfDLxGf36ipQ
      """#
    ),
  ]
}
