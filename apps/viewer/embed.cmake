# Makes the viewer's files string literals of one C++ source, so that a page can be written wherever the program is.
#   cmake -DFOLDER=apps/viewer -DOUT=assets.cpp -P embed.cmake
file(GLOB scripts ${FOLDER}/script/*.js)  # in the order of their names: main.js, which starts the page, is set apart
list(REMOVE_ITEM scripts ${FOLDER}/script/main.js)
set(script "(() => {\n\"use strict\";\n")
foreach(path ${scripts} ${FOLDER}/script/main.js)
  file(READ ${path} text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")
file(READ ${FOLDER}/template.html template)
file(READ ${FOLDER}/style.css style)

set(source "#include \"apps/viewer/page.h\"\n\nnamespace apps {\n")
foreach(name template style script)
  string(APPEND source "const std::string_view viewer_${name} = R\"softalign(${${name}})softalign\";\n")
endforeach()
file(WRITE ${OUT} "${source}}  // namespace apps\n")
