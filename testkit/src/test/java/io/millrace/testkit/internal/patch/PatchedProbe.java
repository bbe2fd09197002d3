package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;

/** Loads {@link Probe} and its nested classes through the patcher. */
final class PatchedProbe extends ClassLoader {
  private final ClassPatcher patcher = new ClassPatcher(PatchedProbe.class.getClassLoader());

  PatchedProbe() {
    super(PatchedProbe.class.getClassLoader());
  }

  /** Returns the class file of a class, as compiled. */
  static byte[] bytes(Class<?> type) throws IOException {
    return bytes(type.getName());
  }

  private static byte[] bytes(String name) throws IOException {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream input = PatchedProbe.class.getResourceAsStream(file)) {
      return Objects.requireNonNull(input, file).readAllBytes();
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(Probe.class.getName())) {
      return super.loadClass(name, resolve);
    }
    Class<?> loaded = findLoadedClass(name);
    return loaded == null ? define(name) : loaded;
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try {
      byte[] original = bytes(name);
      byte[] patched = patcher.patch(original);
      byte[] used = patched == null ? original : patched;
      assertEquals(List.of(), ClassFile.of().verify(used));
      return defineClass(name, used, 0, used.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Calls a method of the patched class with this name. */
  Object call(Class<?> original, String method) throws Exception {
    Method found = loadClass(original.getName()).getDeclaredMethod(method);
    found.setAccessible(true);
    try {
      return found.invoke(null);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
