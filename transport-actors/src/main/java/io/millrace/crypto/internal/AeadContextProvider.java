package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.RecordCipher;
import java.lang.foreign.SymbolLookup;
import java.util.List;

/**
 * {@code boringssl}: BoringSSL or AWS-LC, which encipher a packet in a single call. The system
 * property {@value #PROPERTY} names a library to try first.
 */
public final class AeadContextProvider extends NativeProvider<AeadContextCalls> {
  private static final String PROPERTY = "millrace.crypto.boringssl";
  private static final int PACKET_PREFERENCE = 40;
  private static final int RECORD_PREFERENCE = 21;

  // Debian keeps its BoringSSL where the loader does not look; libcrypto.so is AWS-LC's own name.
  private static final List<String> CANDIDATES =
      List.of(
          "libcrypto-awslc.so",
          "libboringcrypto.so",
          "/usr/lib/x86_64-linux-gnu/android/libcrypto.so.0",
          "/usr/lib/aarch64-linux-gnu/android/libcrypto.so.0",
          "libcrypto.so");

  /** Called by the service loader. */
  public AeadContextProvider() {}

  @Override
  public String name() {
    return "boringssl";
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
    return AeadContextCalls.SYMBOLS;
  }

  @Override
  AeadContextCalls bind(SymbolLookup symbols) {
    return new AeadContextCalls(symbols);
  }

  @Override
  NativePacketCipher cipher(AeadContextCalls calls, AeadKey key, CipherUse use, KeyLimits limits) {
    return new AeadContextPacketCipher(calls, key, use, limits);
  }

  @Override
  RecordCipher recordCipher(AeadContextCalls calls, byte[] key, CipherUse use) {
    return new AeadContextRecordCipher(calls, key.clone(), use);
  }
}
