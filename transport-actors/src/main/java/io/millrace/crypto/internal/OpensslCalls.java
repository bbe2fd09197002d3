package io.millrace.crypto.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.crypto.AesKeySize;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * The functions of OpenSSL's libcrypto (1.1 and later) that encipher with AES-GCM. Immutable, any
 * thread; a context belongs to a single thread. Pointers are addresses; success is true.
 */
final class OpensslCalls {
  /** The symbols that a library must export. */
  static final List<String> SYMBOLS =
      List.of(
          "EVP_aes_128_gcm",
          "EVP_aes_256_gcm",
          "EVP_CIPHER_CTX_new",
          "EVP_CIPHER_CTX_free",
          "EVP_CIPHER_CTX_ctrl",
          "EVP_CipherInit_ex",
          "EVP_CipherUpdate",
          "EVP_CipherFinal_ex");

  /** Command of {@link #control}: copies the tag out. */
  static final int GET_TAG = 0x10;

  /** Command of {@link #control}: gives the tag to compare with. */
  static final int SET_TAG = 0x11;

  /** Leaves the direction of a context unchanged. */
  static final int SAME_DIRECTION = -1;

  private static final MethodHandle TAKES_NOTHING = NativeSignatures.returningPointer();
  private static final MethodHandle FREE = NativeSignatures.returningNothing(JAVA_LONG);
  private static final MethodHandle INIT =
      NativeSignatures.returningInt(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle UPDATE =
      NativeSignatures.returningInt(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle FINAL =
      NativeSignatures.returningInt(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle CONTROL =
      NativeSignatures.returningInt(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);

  private final MemorySegment aes128;
  private final MemorySegment aes256;
  private final MemorySegment contextNew;
  private final MemorySegment contextFree;
  private final MemorySegment contextControl;
  private final MemorySegment cipherInit;
  private final MemorySegment cipherUpdate;
  private final MemorySegment cipherFinal;

  /** Binds to a library that exports {@link #SYMBOLS}. */
  OpensslCalls(SymbolLookup symbols) {
    aes128 = NativeSignatures.function(symbols, "EVP_aes_128_gcm");
    aes256 = NativeSignatures.function(symbols, "EVP_aes_256_gcm");
    contextNew = NativeSignatures.function(symbols, "EVP_CIPHER_CTX_new");
    contextFree = NativeSignatures.function(symbols, "EVP_CIPHER_CTX_free");
    contextControl = NativeSignatures.function(symbols, "EVP_CIPHER_CTX_ctrl");
    cipherInit = NativeSignatures.function(symbols, "EVP_CipherInit_ex");
    cipherUpdate = NativeSignatures.function(symbols, "EVP_CipherUpdate");
    cipherFinal = NativeSignatures.function(symbols, "EVP_CipherFinal_ex");
  }

  /** The algorithm for a size of key. */
  long algorithm(AesKeySize size) {
    return pointer(size == AesKeySize.AES_128 ? aes128 : aes256);
  }

  /** A new context, or 0. */
  long newContext() {
    return pointer(contextNew);
  }

  /** Overwrites and frees a context. */
  void freeContext(long context) {
    try {
      FREE.invokeExact(contextFree, context);
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /** Sets the algorithm, the key and the nonce, each unless it is 0. */
  boolean init(long context, long algorithm, long key, long nonce, int direction) {
    try {
      return (int) INIT.invokeExact(cipherInit, context, algorithm, 0L, key, nonce, direction) == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /** Feeds additional data ({@code out} 0) or enciphers. */
  boolean update(long context, long out, long written, long in, int length) {
    try {
      return (int) UPDATE.invokeExact(cipherUpdate, context, out, written, in, length) == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /** Completes or checks the tag. */
  boolean finish(long context, long out, long written) {
    try {
      return (int) FINAL.invokeExact(cipherFinal, context, out, written) == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  /** {@link #GET_TAG} or {@link #SET_TAG}. */
  boolean control(long context, int command, int length, long data) {
    try {
      return (int) CONTROL.invokeExact(contextControl, context, command, length, data) == 1;
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }

  private static long pointer(MemorySegment function) {
    try {
      return (long) TAKES_NOTHING.invokeExact(function);
    } catch (Throwable e) {
      throw NativeSignatures.unexpected(e);
    }
  }
}
