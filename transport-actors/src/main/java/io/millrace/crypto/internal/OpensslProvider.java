package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import java.lang.foreign.SymbolLookup;
import java.util.List;

/**
 * {@code libcrypto}: OpenSSL 1.1 and later, present on nearly every system. The system property
 * {@value #PROPERTY} names a library to try first.
 */
public final class OpensslProvider extends NativeProvider<OpensslCalls> {
  private static final String PROPERTY = "millrace.crypto.libcrypto";
  private static final int PACKET_PREFERENCE = 30;
  private static final int RECORD_PREFERENCE = 20;

  // Never the unversioned name on macOS: loading this library there ends the process.
  private static final List<String> CANDIDATES =
      List.of(
          "libcrypto.so.3",
          "libcrypto.so.1.1",
          "libcrypto.so",
          "libcrypto.3.dylib",
          "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
          "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
          "libcrypto-3-x64.dll");

  /** Called by the service loader. */
  public OpensslProvider() {}

  @Override
  public String name() {
    return "libcrypto";
  }

  @Override
  public int packetPreference() {
    return PACKET_PREFERENCE;
  }

  @Override
  public int recordPreference() {
    return RECORD_PREFERENCE;
  }

  @Override
  String property() {
    return PROPERTY;
  }

  @Override
  List<String> candidates() {
    return CANDIDATES;
  }

  @Override
  List<String> symbols() {
    return OpensslCalls.SYMBOLS;
  }

  @Override
  OpensslCalls bind(SymbolLookup symbols) {
    return new OpensslCalls(symbols);
  }

  @Override
  NativePacketCipher cipher(OpensslCalls calls, AeadKey key, CipherUse use, KeyLimits limits) {
    return new OpensslPacketCipher(calls, key, use, limits);
  }
}
