package io.millrace.crypto.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.crypto.AesKeySize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;

/**
 * The functions of BoringSSL and AWS-LC that encipher a packet in a single call. Immutable, any
 * thread. Pointers are addresses; success is true.
 */
final class AeadContextCalls {
  /** The symbols that a library must export. */
  static final List<String> SYMBOLS =
      List.of(
          "EVP_aead_aes_128_gcm",
          "EVP_aead_aes_256_gcm",
          "EVP_AEAD_CTX_new",
          "EVP_AEAD_CTX_free",
          "EVP_AEAD_CTX_seal",
          "EVP_AEAD_CTX_open",
          "EVP_AEAD_CTX_seal_scatter",
          "EVP_AEAD_CTX_open_gather");

  private static final MethodHandle TAKES_NOTHING = NativeSignatures.returningPointer();
  private static final MethodHandle NEW =
      NativeSignatures.returningPointer(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FREE = NativeSignatures.returningNothing(JAVA_LONG);
  private static final MethodHandle TRANSFORM =
      NativeSignatures.returningInt(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SEAL_SCATTER =
      NativeSignatures.returningIntOfArrays(
          JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS,
          JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle OPEN_GATHER =
      NativeSignatures.returningIntOfArrays(
          JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS,
          JAVA_LONG);

  private final MemorySegment aes128;
  private final MemorySegment aes256;
  private final MemorySegment contextNew;
  private final MemorySegment contextFree;
  private final MemorySegment contextSeal;
  private final MemorySegment contextOpen;
  private final MemorySegment contextSealScatter;
  private final MemorySegment contextOpenGather;

  /** Binds to a library that exports {@link #SYMBOLS}. */
  AeadContextCalls(SymbolLookup symbols) {
    aes128 = NativeSignatures.function(symbols, "EVP_aead_aes_128_gcm");
    aes256 = NativeSignatures.function(symbols, "EVP_aead_aes_256_gcm");
    contextNew = NativeSignatures.function(symbols, "EVP_AEAD_CTX_new");
    contextFree = NativeSignatures.function(symbols, "EVP_AEAD_CTX_free");
    contextSeal = NativeSignatures.function(symbols, "EVP_AEAD_CTX_seal");
    contextOpen = NativeSignatures.function(symbols, "EVP_AEAD_CTX_open");
    contextSealScatter = NativeSignatures.function(symbols, "EVP_AEAD_CTX_seal_scatter");
    contextOpenGather = NativeSignatures.function(symbols, "EVP_AEAD_CTX_open_gather");
  }

  /**
   * A context with a scheduled key.
   *
   * @param key overwritten
   */
  long newContext(AesKeySize size, byte[] key) {
    long context;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(JAVA_BYTE, key);
      context = newContext(size, copy.address());
      copy.fill((byte) 0);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
    if (context == 0) {
      throw new IllegalStateException("the library refused a key of " + size);
    }
    return context;
  }

  private long newContext(AesKeySize size, long key) {
    MemorySegment choice = size == AesKeySize.AES_128 ? aes128 : aes256;
    try {
      long algorithm = (long) TAKES_NOTHING.invokeExact(choice);
      return (long)
          NEW.invokeExact(
              contextNew,
              algorithm,
              key,
              (long) size.bytes(),
              (long) NativePacketCipher.TAG_LENGTH);
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
   * Enciphers {@code bodyLength} bytes in place and writes the tag behind the body. The header lies
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

  /**
   * Enciphers the leading bytes of a record from an array into another; the tag of the whole record
   * goes behind the record.
   *
   * @param plain the bytes to encipher, and behind them the bytes to authenticate only
   * @param sealed the destination of the bytes, with room for the tag; bytes to authenticate only
   *     are present already
   * @param written the place for the number of bytes that a call wrote
   */
  boolean sealRecord(
      long context,
      MemorySegment plain,
      MemorySegment sealed,
      long secretBytes,
      long nonce,
      long written) {
    long length = plain.byteSize();
    try {
      return (int)
              SEAL_SCATTER.invokeExact(
                  contextSealScatter,
                  context,
                  sealed,
                  sealed.asSlice(length),
                  written,
                  (long) NativePacketCipher.TAG_LENGTH,
                  nonce,
                  (long) NativePacketCipher.NONCE_LENGTH,
                  plain,
                  secretBytes,
                  0L,
                  0L,
                  sealed.asSlice(secretBytes),
                  length - secretBytes)
          == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /** Checks the tag of a record and deciphers its leading bytes; as {@link #sealRecord}. */
  boolean openRecord(
      long context, MemorySegment sealed, MemorySegment plain, long secretBytes, long nonce) {
    long length = plain.byteSize();
    try {
      return (int)
              OPEN_GATHER.invokeExact(
                  contextOpenGather,
                  context,
                  plain,
                  nonce,
                  (long) NativePacketCipher.NONCE_LENGTH,
                  sealed,
                  secretBytes,
                  sealed.asSlice(length),
                  (long) NativePacketCipher.TAG_LENGTH,
                  plain.asSlice(secretBytes),
                  length - secretBytes)
          == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }
}
