package io.millrace.efa.ofi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** Makes the method handles of the binding and turns what they declare to throw. */
final class Downcalls {
  private Downcalls() {}

  /**
   * A handle whose first argument is the function's address. One per signature, in a static final
   * field: that is what lets the compiler inline it.
   */
  @SuppressWarnings("restricted") // every signature is written beside the name of its C function
  static MethodHandle unbound(MemoryLayout result, MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(result, arguments));
  }

  /** As {@link #unbound} for a function that returns nothing. */
  @SuppressWarnings("restricted") // every signature is written beside the name of its C function
  static MethodHandle unboundVoid(MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(arguments));
  }

  /** Native code throws nothing; what a handle threw is ours, and unchecked. */
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
