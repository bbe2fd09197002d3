package io.millrace.crypto.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Downcall handles that take the function as their first argument, so that the handles can be
 * constants for every library. Pointers and {@code size_t} travel as {@code long}: all platforms of
 * Millrace pass both alike.
 */
final class NativeSignatures {
  private NativeSignatures() {}

  /** A function that returns an {@code int}. */
  static MethodHandle returningInt(MemoryLayout... arguments) {
    return handle(FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /**
   * The same for a function that gets arrays in place, as segments: for short work without
   * callbacks, because no thread reaches a safepoint during the call.
   */
  @SuppressWarnings("restricted") // as below
  static MethodHandle returningIntOfArrays(MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(FunctionDescriptor.of(JAVA_INT, arguments), Linker.Option.critical(true));
  }

  /** A function that returns a pointer. */
  static MethodHandle returningPointer(MemoryLayout... arguments) {
    return handle(FunctionDescriptor.of(JAVA_LONG, arguments));
  }

  /** A function that returns nothing. */
  static MethodHandle returningNothing(MemoryLayout... arguments) {
    return handle(FunctionDescriptor.ofVoid(arguments));
  }

  /** The address of a function that the search has seen. */
  static MemorySegment function(SymbolLookup symbols, String name) {
    return symbols.findOrThrow(name);
  }

  /** The exception for a downcall that declares Throwable, and throws nothing. */
  static IllegalStateException unexpected(Throwable cause) {
    return new IllegalStateException("a native call could not be made: " + cause, cause);
  }

  @SuppressWarnings("restricted") // the descriptors are from the library's own header files
  private static MethodHandle handle(FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(descriptor);
  }
}
