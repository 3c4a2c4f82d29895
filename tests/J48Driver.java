import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import weka.classifiers.trees.J48;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Runs Weka's J48 on request, for tests/weka.py and benchmarks/weka.py.
 *
 * A request is a line "command TAB path of an ARFF file TAB options of J48", the answer a line of JSON. Commands:
 * "describe" tells how Weka reads the file, "fit" grows a tree, "evaluate" grows one and classifies the file's rows.
 * Started as a source file (java -cp weka.jar J48Driver.java), so that nothing has to be compiled beforehand.
 */
public class J48Driver {
  private static String path = "";
  private static Instances data;

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = new PrintStream(System.out, true, "UTF-8");
    System.setOut(System.err); // whatever Weka prints is not an answer
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] request = line.split("\t", -1);
      String answer;
      try {
        load(request[1]);
        answer = request[0].equals("describe") ? describe() : grow(request[2], request[0].equals("evaluate"));
      } catch (Throwable error) {
        answer = "{\"error\": " + quote(error.toString()) + "}";
      }
      answers.println(answer);
    }
  }

  /** Reads the file, unless it is the last request's. */
  private static void load(String wanted) throws Exception {
    if (wanted.equals(path)) return;
    path = "";
    data = null;
    try (Reader reader = new InputStreamReader(new FileInputStream(wanted), StandardCharsets.UTF_8)) {
      data = new Instances(new BufferedReader(reader));
    }
    data.setClassIndex(data.numAttributes() - 1);
    path = wanted;
  }

  private static String grow(String options, boolean classify) throws Exception {
    J48 model = new J48();
    model.setOptions(Utils.splitOptions(options));
    long begin = System.nanoTime();
    model.buildClassifier(data);
    double seconds = (System.nanoTime() - begin) / 1e9;
    StringBuilder text = new StringBuilder();
    text.append("{\"leaves\": ").append((int) model.measureNumLeaves());
    text.append(", \"nodes\": ").append((int) model.measureTreeSize());
    text.append(", \"seconds\": ").append(seconds);
    if (classify) {
      StringBuilder classes = new StringBuilder();
      StringBuilder rows = new StringBuilder();
      for (int i = 0; i < data.numInstances(); ++i) {
        Instance instance = data.instance(i);
        classes.append(i == 0 ? "" : ", ").append((int) model.classifyInstance(instance));
        rows.append(i == 0 ? "[" : ", [").append(join(model.distributionForInstance(instance))).append("]");
      }
      text.append(", \"predictions\": [").append(classes).append("], \"probabilities\": [").append(rows);
      text.append("], \"text\": ").append(quote(model.toString()));
    }
    return text.append("}").toString();
  }

  /** Every attribute's name, declared values, and values of all rows (indexes of the declared ones, or NaN). */
  private static String describe() {
    StringBuilder text = new StringBuilder("{\"attributes\": [");
    for (int j = 0; j < data.numAttributes(); ++j) {
      Attribute attribute = data.attribute(j);
      text.append(j == 0 ? "{" : ", {").append("\"name\": ").append(quote(attribute.name()));
      text.append(", \"declared\": ");
      if (attribute.isNominal()) {
        text.append("[");
        for (int i = 0; i < attribute.numValues(); ++i)
          text.append(i == 0 ? "" : ", ").append(quote(attribute.value(i)));
        text.append("]");
      } else {
        text.append("null");
      }
      text.append(", \"values\": [").append(join(data.attributeToDoubleArray(j))).append("]}");
    }
    return text.append("]}").toString();
  }

  private static String join(double[] numbers) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < numbers.length; ++i) text.append(i == 0 ? "" : ", ").append(numbers[i]);
    return text.toString();
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') quoted.append('\\').append(c);
      else if (c < ' ') quoted.append(String.format("\\u%04x", (int) c));
      else quoted.append(c);
    }
    return quoted.append('"').toString();
  }
}
