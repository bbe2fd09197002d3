package io.millrace.crypto.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.crypto.AesKeySize;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * The functions of BoringSSL and AWS-LC that encipher a packet in one call. Immutable, any thread.
 * Pointers are addresses; success is true.
 */
final class AeadContextCalls {
  /** What a library must export. */
  static final List<String> SYMBOLS =
      List.of(
          "EVP_aead_aes_128_gcm",
          "EVP_aead_aes_256_gcm",
          "EVP_AEAD_CTX_new",
          "EVP_AEAD_CTX_free",
          "EVP_AEAD_CTX_seal",
          "EVP_AEAD_CTX_open");

  private static final MethodHandle TAKES_NOTHING = NativeSignatures.returningPointer();
  private static final MethodHandle NEW =
      NativeSignatures.returningPointer(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FREE = NativeSignatures.returningNothing(JAVA_LONG);
  private static final MethodHandle TRANSFORM =
      NativeSignatures.returningInt(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG, JAVA_LONG);

  private final MemorySegment aes128;
  private final MemorySegment aes256;
  private final MemorySegment contextNew;
  private final MemorySegment contextFree;
  private final MemorySegment contextSeal;
  private final MemorySegment contextOpen;

  /** Binds to a library that exports {@link #SYMBOLS}. */
  AeadContextCalls(SymbolLookup symbols) {
    aes128 = NativeSignatures.function(symbols, "EVP_aead_aes_128_gcm");
    aes256 = NativeSignatures.function(symbols, "EVP_aead_aes_256_gcm");
    contextNew = NativeSignatures.function(symbols, "EVP_AEAD_CTX_new");
    contextFree = NativeSignatures.function(symbols, "EVP_AEAD_CTX_free");
    contextSeal = NativeSignatures.function(symbols, "EVP_AEAD_CTX_seal");
    contextOpen = NativeSignatures.function(symbols, "EVP_AEAD_CTX_open");
  }

  /** A context with a scheduled key and tags of {@code tagLength} bytes, or 0. */
  long newContext(AesKeySize size, long key, long tagLength) {
    MemorySegment choice = size == AesKeySize.AES_128 ? aes128 : aes256;
    try {
      long algorithm = (long) TAKES_NOTHING.invokeExact(choice);
      return (long) NEW.invokeExact(contextNew, algorithm, key, (long) size.bytes(), tagLength);
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /** Overwrites and frees a context. */
  void freeContext(long context) {
    try {
      FREE.invokeExact(contextFree, context);
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /**
   * Enciphers {@code bodyLength} bytes in place and writes the tag behind them. The header lies
   * before the body; the nonce has 12 bytes.
   */
  boolean seal(
      long context, long written, long header, long headerLength, long bodyLength, long nonce) {
    long body = header + headerLength;
    try {
      return (int)
              TRANSFORM.invokeExact(
                  contextSeal,
                  context,
                  body,
                  written,
                  bodyLength + NativePacketCipher.TAG_LENGTH,
                  nonce,
                  (long) NativePacketCipher.NONCE_LENGTH,
                  body,
                  bodyLength,
                  header,
                  headerLength)
          == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /** Checks the tag and deciphers in place; as {@link #seal}. */
  boolean open(
      long context, long written, long header, long headerLength, long bodyLength, long nonce) {
    long body = header + headerLength;
    long sealedLength = bodyLength + NativePacketCipher.TAG_LENGTH;
    try {
      return (int)
              TRANSFORM.invokeExact(
                  contextOpen,
                  context,
                  body,
                  written,
                  sealedLength,
                  nonce,
                  (long) NativePacketCipher.NONCE_LENGTH,
                  body,
                  sealedLength,
                  header,
                  headerLength)
          == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }
}
