package io.millrace.udp.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Compares offsets and numbers with the headers of the C library, on hosts with a compiler. */
@EnabledOnOs(OS.LINUX)
class NativeConstantsTest {
  private static final Path ASSERTIONS = Path.of("src/test/c/layout_assert.c");

  @Test
  void shouldBeThoseOfTheHeaders() throws Exception {
    List<String> definitions = definitions();
    assertTrue(definitions.size() > 60, definitions::toString);
    Compilation compilation = compile(definitions);
    assertEquals("", compilation.output());
    assertEquals(0, compilation.exitCode());
  }

  @Test
  void shouldNoticeWrongConstant() throws Exception {
    List<String> definitions = definitions();
    definitions.remove("-DJ_MSG_LEN=" + MessageLayout.MSG_LEN);
    definitions.add("-DJ_MSG_LEN=" + (MessageLayout.MSG_LEN + 1));
    assertNotEquals(0, compile(definitions).exitCode());
  }

  private record Compilation(int exitCode, String output) {}

  private static Compilation compile(List<String> definitions) throws Exception {
    assumeTrue(hasCompiler(), "skipped: there is no gcc to compare the constants with");
    List<String> command = new ArrayList<>(List.of("gcc", "-fsyntax-only"));
    command.addAll(definitions);
    command.add(ASSERTIONS.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Compilation(process.waitFor(), output);
  }

  private static boolean hasCompiler() throws InterruptedException {
    assertTrue(Files.exists(ASSERTIONS));
    try {
      Process process = new ProcessBuilder("gcc", "--version").redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static List<String> definitions() throws IllegalAccessException {
    List<String> definitions = new ArrayList<>();
    for (Class<?> owner : List.of(MessageLayout.class, SocketOptions.class, Errno.class)) {
      for (Field field : owner.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
          definitions.add("-DJ_" + field.getName() + "=" + field.getInt(null));
        }
      }
    }
    for (IpVersion version : IpVersion.values()) {
      for (Field field : IpVersion.class.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          definitions.add("-DJ_" + version + "_" + field.getName() + "=" + field.getInt(version));
        }
      }
    }
    return definitions;
  }
}
