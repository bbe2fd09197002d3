package io.millrace.efa.ofi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/**
 * Makes the method handles of the binding, and converts the exceptions that the handles declare.
 */
final class Downcalls {
  private Downcalls() {}

  /**
   * Returns a handle with the function's address as first argument. Keep one handle per signature,
   * in a static final field: only then can the compiler inline the handle.
   */
  @SuppressWarnings("restricted") // every signature is written beside the name of its C function
  static MethodHandle unbound(MemoryLayout result, MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(result, arguments));
  }

  /** Returns a handle as {@link #unbound} for a function without a result. */
  @SuppressWarnings("restricted") // every signature is written beside the name of its C function
  static MethodHandle unboundVoid(MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(arguments));
  }

  /**
   * Returns the exception as unchecked. Native code throws no exceptions; an exception of a handle
   * comes from Java code, and is unchecked.
   */
  static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      return exception;
    }
    return new IllegalStateException("native call failed", thrown);
  }
}
