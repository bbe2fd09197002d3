package io.millrace.loop;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/** Functions of the C library, which this package calls on Linux only. */
final class NativeCalls {
  private NativeCalls() {}

  static boolean isLinux() {
    return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
  }

  /**
   * Binds a function by its name; {@code signature} must match the C library's manual.
   *
   * @throws RuntimeException if the library has no such function
   */
  @SuppressWarnings("restricted") // callers write the signature beside the function's name
  static MethodHandle bind(String name, FunctionDescriptor signature, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
  }

  static AssertionError unexpected(Throwable thrown) {
    return new AssertionError("a C function cannot throw", thrown);
  }
}
