package io.millrace.tree;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the architecture: the packages that each package may import. */
final class ArchitectureTest {
  static final JavaClasses CLASSES = ofThisBuild();

  /** Fewer classes than this number mean that the checks of this module looked at nothing. */
  private static final int FEWEST_CLASSES = 400;

  private static final String[] EVERYWHERE = {
    "java..", "io.millrace.memory..", "org.agrona..", "org.jspecify.."
  };
  private static final String[] PROGRAMS = {"io.millrace.samples..", "io.millrace.testkit.."};
  private static final String[] DRIVER_MODULES = {"io.millrace.udp..", "io.millrace.efa.."};

  /**
   * One row of the table.
   *
   * @param holder the package whose imports are limited
   * @param exists whether the package has classes; a row without classes checks nothing
   * @param allowed the packages for import besides those of {@link #EVERYWHERE} and the holder
   *     itself
   */
  record Imports(String holder, boolean exists, List<String> allowed) {
    static Imports only(String holder, String... allowed) {
      return new Imports(holder, true, List.of(allowed));
    }

    /**
     * The row of a package that is still to come; once the package has classes, use {@link #only}.
     */
    static Imports planned(String holder, String... allowed) {
      return new Imports(holder, false, List.of(allowed));
    }

    @Override
    public String toString() {
      return holder;
    }
  }

  /**
   * The rules ask types from outside for their names alone, so that nobody has to read such types.
   */
  private static JavaClasses ofThisBuild() {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .withImportOption(location -> !location.contains("/test-classes/"))
        .importPackages("io.millrace");
  }

  static Stream<Imports> table() {
    return Stream.of(
            foundations(),
            handshakes(),
            rooms(),
            path(),
            actors(),
            observers(),
            users(),
            integrations())
        .flatMap(rows -> rows);
  }

  private static Stream<Imports> foundations() {
    return Stream.of(
        Imports.only("io.millrace.memory.."),
        Imports.only("io.millrace.queue.."),
        Imports.only("io.millrace.wait.."),
        Imports.only("io.millrace.driver.."),
        Imports.only("io.millrace.wire.."),
        Imports.only("io.millrace.access"),
        Imports.only("io.millrace.transfer..", "org.apache.pekko.util.."),
        Imports.only("io.millrace.node.."),
        Imports.only("io.millrace.protocol..", "io.millrace.transfer..", "io.millrace.wire.."),
        Imports.only("io.millrace.provider.."),
        Imports.only(
            "io.millrace.crypto..",
            "javax.crypto..",
            "javax.security..",
            "com.sun.management..",
            "io.millrace.access..",
            "io.millrace.provider..",
            "io.millrace.queue.."),
        Imports.only("io.millrace.buffer..", "io.millrace.driver..", "io.millrace.queue.."),
        Imports.only(
            "io.millrace.event..",
            "io.millrace.queue..",
            "io.millrace.transfer..",
            "io.millrace.wait.."),
        Imports.only(
            "io.millrace.config..",
            "com.typesafe.config..",
            "io.millrace.access..",
            "io.millrace.node..",
            "io.millrace.provider.."));
  }

  private static Stream<Imports> handshakes() {
    return Stream.of(
        Imports.only(
            "io.millrace.handshake",
            "io.millrace.access..",
            "io.millrace.crypto..",
            "io.millrace.driver..",
            "io.millrace.handshake.certificates..",
            "io.millrace.wait..",
            "io.millrace.wire.."),
        Imports.only(
            "io.millrace.handshake.certificates..",
            "javax.net.ssl..",
            "javax.security..",
            "io.millrace.access..",
            "io.millrace.crypto..",
            "io.millrace.wire.."),
        Imports.only(
            "io.millrace.handshake.psk..",
            "javax.crypto..",
            "io.millrace.access..",
            "io.millrace.crypto..",
            "io.millrace.handshake",
            "io.millrace.wire.."),
        Imports.only(
            "io.millrace.handshake.tls..",
            "javax.crypto..",
            "javax.net.ssl..",
            "javax.security..",
            "io.millrace.crypto..",
            "io.millrace.handshake",
            "io.millrace.handshake.certificates..",
            "io.millrace.wire.."),
        Imports.only(
            "io.millrace.handshake.quic..",
            "javax.crypto..",
            "javax.net.ssl..",
            "io.netty..",
            "io.millrace.crypto..",
            "io.millrace.handshake",
            "io.millrace.handshake.certificates..",
            "io.millrace.wait.."));
  }

  private static Stream<Imports> observers() {
    return Stream.of(
        Imports.only(
            "io.millrace.telemetry.jfr..",
            "jdk.jfr..",
            "io.millrace.event..",
            "io.millrace.transfer.."),
        Imports.only("io.millrace.trace..", "io.millrace.transfer.."),
        Imports.only(
            "io.millrace.telemetry.otel..",
            "io.opentelemetry..",
            "io.millrace.trace..",
            "io.millrace.transfer.."),
        Imports.planned("io.millrace.telemetry.qlog..", "io.millrace.event.."),
        Imports.only(
            "io.millrace.telemetry.kamon..",
            "kamon..",
            "scala..",
            "io.millrace.event..",
            "io.millrace.transfer.."));
  }

  /** The rooms of the engine, each room above the rooms that it imports. */
  private static Stream<Imports> rooms() {
    return Stream.of(
        Imports.only(
            "io.millrace.access.admission..",
            "io.millrace.access",
            "io.millrace.event..",
            "io.millrace.wire.."),
        Imports.only(
            "io.millrace.loop..",
            "io.millrace.config..",
            "io.millrace.event..",
            "io.millrace.node..",
            "io.millrace.queue..",
            "com.typesafe.config..",
            "org.apache.pekko..",
            "org.slf4j..",
            "scala.."),
        Imports.only(
            "io.millrace.ends..",
            "io.millrace.buffer..",
            "io.millrace.config..",
            "io.millrace.event..",
            "io.millrace.protocol..",
            "io.millrace.queue..",
            "io.millrace.transfer..",
            "io.millrace.wire.."),
        Imports.only(
            "io.millrace.nic..",
            "io.millrace.config..",
            "io.millrace.driver..",
            "io.millrace.event..",
            "io.millrace.handshake..",
            "io.millrace.node..",
            "io.millrace.path.network",
            "io.millrace.protocol.."),
        Imports.only(
            "io.millrace.body..",
            "io.millrace.access..",
            "io.millrace.buffer..",
            "io.millrace.config..",
            "io.millrace.crypto..",
            "io.millrace.ends..",
            "io.millrace.protocol..",
            "io.millrace.queue..",
            "io.millrace.transfer.."));
  }

  private static Stream<Imports> path() {
    return Stream.of(
        Imports.only(
            "io.millrace.path..",
            "io.millrace.access..",
            "io.millrace.body..",
            "io.millrace.buffer..",
            "io.millrace.config..",
            "io.millrace.crypto..",
            "io.millrace.driver..",
            "io.millrace.ends..",
            "io.millrace.event..",
            "io.millrace.protocol..",
            "io.millrace.transfer..",
            "io.millrace.wire.."),
        Imports.only(
            "io.millrace.worker..",
            "io.millrace.body..",
            "io.millrace.buffer..",
            "io.millrace.config..",
            "io.millrace.driver..",
            "io.millrace.ends..",
            "io.millrace.event..",
            "io.millrace.loop..",
            "io.millrace.nic..",
            "io.millrace.path..",
            "io.millrace.protocol.."));
  }

  /** The packages that know Pekko, above the rooms. */
  private static Stream<Imports> actors() {
    return Stream.of(
        Imports.only(
            "io.millrace.actor..",
            "io.millrace.access..",
            "io.millrace.body..",
            "io.millrace.config..",
            "io.millrace.crypto..",
            "io.millrace.driver..",
            "io.millrace.ends..",
            "io.millrace.event..",
            "io.millrace.loop..",
            "io.millrace.nic..",
            "io.millrace.path..",
            "io.millrace.protocol..",
            "io.millrace.transfer..",
            "io.millrace.wire..",
            "io.millrace.worker..",
            "org.apache.pekko.."),
        Imports.only(
            "io.millrace.engine..",
            "io.millrace.access..",
            "io.millrace.actor..",
            "io.millrace.body..",
            "io.millrace.buffer..",
            "io.millrace.config..",
            "io.millrace.crypto..",
            "io.millrace.driver..",
            "io.millrace.ends..",
            "io.millrace.event..",
            "io.millrace.handshake..",
            "io.millrace.loop..",
            "io.millrace.nic..",
            "io.millrace.node..",
            "io.millrace.path..",
            "io.millrace.protocol..",
            "io.millrace.provider..",
            "io.millrace.telemetry.jfr..",
            "io.millrace.transfer..",
            "io.millrace.wait..",
            "io.millrace.wire..",
            "io.millrace.worker..",
            "com.typesafe.config..",
            "org.apache.pekko..",
            "org.slf4j..",
            "scala.."));
  }

  private static Stream<Imports> users() {
    return Stream.of(
        Imports.only("io.millrace.udp..", "jdk.net..", "io.millrace.driver.."),
        Imports.only("io.millrace.efa..", "io.millrace.driver.."),
        Imports.only(
            "io.millrace.api..",
            "io.millrace.access..",
            "io.millrace.actor..",
            "io.millrace.body..",
            "io.millrace.buffer..",
            "io.millrace.config..",
            "io.millrace.crypto..",
            "io.millrace.driver..",
            "io.millrace.ends..",
            "io.millrace.engine..",
            "io.millrace.event..",
            "io.millrace.loop..",
            "io.millrace.nic..",
            "io.millrace.node..",
            "io.millrace.path..",
            "io.millrace.protocol..",
            "io.millrace.queue..",
            "io.millrace.trace..",
            "io.millrace.transfer..",
            "io.millrace.wait..",
            "io.millrace.wire..",
            "io.millrace.worker..",
            "com.fasterxml.jackson..",
            "org.apache.pekko..",
            "scala.concurrent.duration.."),
        Imports.only(
            "io.millrace.protobuf..",
            "com.google.protobuf..",
            "org.apache.pekko.util..",
            "io.millrace.api.codec.."));
  }

  /** The artifacts for frameworks, each beside the API. */
  private static Stream<Imports> integrations() {
    return Stream.of(
        Imports.only(
            "io.millrace.micrometer..",
            "io.micrometer..",
            "io.millrace.event..",
            "io.millrace.telemetry.kamon.."),
        Imports.only(
            "io.millrace.spring..",
            "com.fasterxml.jackson..",
            "com.typesafe.config..",
            "io.micrometer..",
            "io.millrace.api..",
            "io.millrace.config..",
            "io.millrace.micrometer..",
            "io.millrace.node..",
            "io.millrace.transfer..",
            "org.apache.commons.logging..",
            "org.apache.pekko.japi..",
            "org.apache.pekko.util..",
            "org.springframework.."));
  }

  @ParameterizedTest
  @MethodSource("table")
  void shouldImportOnlyWhatTheTableAllows(Imports row) {
    List<String> allowed = new ArrayList<>(List.of(EVERYWHERE));
    allowed.addAll(row.allowed());
    allowed.add(row.holder());
    classes()
        .that()
        .resideInAPackage(row.holder())
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .allowEmptyShould(!row.exists())
        .check(CLASSES);
    boolean exists = CLASSES.stream().anyMatch(resideInAPackage(row.holder()));
    assertEquals(row.exists(), exists, "whether there are classes in " + row.holder());
  }

  @Test
  void shouldHaveARowForEveryPackage() {
    Predicate<JavaClass> covered = resideInAnyPackage(PROGRAMS);
    for (Imports row : table().toList()) {
      covered = covered.or(resideInAPackage(row.holder()));
    }
    assertEquals(
        List.of(), CLASSES.stream().filter(covered.negate()).map(JavaClass::getName).toList());
  }

  @Test
  void shouldSeeEveryClassOfEveryModule() {
    List<String> unseen =
        SourceTree.current().javaFiles().stream()
            .filter(SourceFile::isMainJava)
            .filter(file -> !file.name().equals("module-info.java"))
            .map(ArchitectureTest::className)
            .filter(name -> !CLASSES.contain(name))
            .filter(name -> !name.endsWith("package-info"))
            .toList();
    assertEquals(List.of(), unseen);
    assertTrue(CLASSES.size() >= FEWEST_CLASSES, () -> "saw only " + CLASSES.size() + " classes");
  }

  @Test
  void shouldKeepTheEngineFreeOfCycles() {
    slices().matching("io.millrace.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void shouldKeepProgramsAndSimulatorOutOfTheEngine() {
    noClasses()
        .that()
        .resideOutsideOfPackages(PROGRAMS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.millrace.samples..", "io.millrace.testkit..", "org.junit..")
        .check(CLASSES);
  }

  @Test
  void shouldKeepDriversOutOfTheEngine() {
    noClasses()
        .that()
        .resideOutsideOfPackages(DRIVER_MODULES)
        .and()
        .resideOutsideOfPackages(PROGRAMS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(DRIVER_MODULES)
        .check(CLASSES);
  }

  @Test
  void shouldKeepNettyAndKamonInTheirPlaces() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.millrace.handshake.quic..", "io.millrace.samples..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("io.millrace.telemetry.kamon..", "io.millrace.samples..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("kamon..")
        .check(CLASSES);
  }

  @Test
  void shouldKeepOpenTelemetryInItsPlace() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.millrace.telemetry.otel..", "io.millrace.samples..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.opentelemetry..")
        .check(CLASSES);
  }

  @Test
  void shouldKeepJacksonInItsPlace() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.millrace.api.codec.jackson..", "io.millrace.samples..", "io.millrace.spring..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.fasterxml..")
        .check(CLASSES);
  }

  /** The artifacts for Spring Boot and Micrometer stand beside the API, which knows neither. */
  @Test
  void shouldKeepSpringAndMicrometerOutOfTheApi() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.millrace.spring..", "io.millrace.micrometer..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework..", "io.micrometer..")
        .check(CLASSES);
  }

  @Test
  void shouldKeepProtocolBuffersInTheirPlace() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.millrace.protobuf..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.google.protobuf..")
        .check(CLASSES);
  }

  private static String className(SourceFile file) {
    String path = file.path();
    String inside = path.substring(path.indexOf("src/main/java/") + "src/main/java/".length());
    return inside.substring(0, inside.length() - ".java".length()).replace('/', '.');
  }
}
